"""The HTML report in a real browser: page_test.py ATTEST SCHEMA [unittest words]. What it must show was worked out by hand from the
records in page_records.py. ATTEST_PICTURES=FOLDER also writes pictures of every page, to be looked at."""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

import browser
import page_records
from page_records import HOSTILE

ATTEST, SCHEMA = (os.path.abspath(path) for path in sys.argv[1:3])


def words(text):
    return " ".join(text.split())


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        empty = os.path.join(cls.folder.name, "empty.py")
        open(empty, "w", encoding="utf-8").close()
        made = os.path.join(cls.folder.name, "made.html")
        subprocess.run([ATTEST, "grade", empty, "--format", "html", "--out", made], check=False)
        with open(made, encoding="utf-8") as file:
            real = file.read()
        cls.pages = {}
        for name, records in page_records.all_records().items():
            cls.pages[name] = os.path.join(cls.folder.name, name + ".html")
            with open(cls.pages[name], "w", encoding="utf-8") as file:
                file.write(page_records.page_of(real, records))
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.folder.cleanup()

    def show(self, name, **how):
        self.browser.show(self.pages.get(name, name), **how)
        return self.browser

    def test_records_follow_the_schema(self):
        import jsonschema
        with open(SCHEMA, encoding="utf-8") as file:
            validator = jsonschema.Draft202012Validator(json.load(file))
        for name, records in page_records.all_records().items():
            for record in records if name != "strange" else []:
                self.assertEqual([error.message for error in validator.iter_errors(record)], [])

    def test_nothing_is_fetched_and_nothing_complains(self):
        for name in self.pages:
            page = self.show(name)
            page.unfold()
            self.assertEqual(page.complaints(), [], name)
            self.assertEqual({url for url in page.requests() if not url.startswith("data:")}, {"file://" + self.pages[name]}, name)

    def test_head_and_scorecard(self):
        page = self.show("traced")
        self.assertEqual(page.texts("h1"), ["mine.py"])
        self.assertIn("62.5 / 100", page.texts(".score")[0])  # 62.56, cut, not rounded
        self.assertIn("3 of 6 checks failed", page.texts(".verdict")[0])
        self.assertIn("right so far" + "shape, projections" + "not judged" + "scale", page.texts(".head dl")[0])
        rows = [words(text) for text in page.ask(
            "return [...document.querySelectorAll('.scorecard tbody tr')].map((r) => [...r.children].map((c) => c.textContent).join(' '))")]
        self.assertEqual(rows, ["shape 10 of 10 ✓ it holds", "projections 12.5 of 12.5 ✓ it holds", "softmax 0 of 25 ✗ 2 of 2 failed",
                                "mask 7.5 of 15 ✗ 1 of 2 fails because of another, 1 earns nothing yet", "scale 0 of 20 – not judged"])
        self.assertIn("one case, no score", self.show("long").texts(".score")[0])

    def test_heatmaps_have_a_cell_for_each_weight_and_mark_what_differs(self):
        page = self.show("traced")
        rows_sum = '[data-property="weights/rows-sum-to-one"]'
        # scores, scaled, masked, weights; 2 heads; two sides; 3 x 3 cells
        self.assertEqual(page.count(rows_sum + " svg.heatmap"), 4 * 2 * 2)
        self.assertEqual(page.count(rows_sum + " svg .cell"), 4 * 2 * 2 * 9)
        marked = page.ask("""return [...document.querySelectorAll(arguments[0])].map((cell) =>
          [cell.closest('.step').dataset.tensor, cell.dataset.row, cell.dataset.column, cell.dataset.mark])""",
                          rows_sum + " .cell[data-mark]")
        of_head = [["0", "1"], ["0", "2"], ["1", "2"]]
        self.assertEqual([mark[1:3] for mark in marked if mark[0] == "masked"], of_head * 2)
        self.assertEqual([mark[1:3] for mark in marked if mark[0] == "weights"], [["0", "0"], ["1", "0"], ["1", "1"]] * 2)
        self.assertEqual(page.count(rows_sum + ' [data-tensor="weights"] .frame'), 1)  # row 0 of head 0
        # One number: head 1, row 1, column 0.
        here = page.ask("""return [...document.querySelectorAll(
            '[data-property="weights/uniform-when-query-is-zero"] .cell[data-mark=here]')].map((cell) => [cell.dataset.row, cell.dataset.column, cell.closest('figure').querySelector('figcaption').textContent,
                          cell.nextElementSibling.textContent])""")
        self.assertEqual(here, [["1", "0", "head 1", "0.3333*"]])

    def test_a_figure_says_in_words_what_it_shows(self):
        page = self.show("traced")
        page.unfold()
        nodes = page.tell("Accessibility.getFullAXTree")["nodes"]
        images = {n["name"]["value"]: n.get("description", {}).get("value", "") for n in nodes
                  if n.get("role", {}).get("value") in ("image", "img") and not n.get("ignored")}
        self.assertIn("weights, head 1, should be: 3 × 3", images)
        self.assertEqual(images["weights, head 1, yours: 3 × 3"],
                         "3 numbers differ: row 0, column 0 is 0.3333333333333333 (should be: 1); row 1, column 0 is 0.3333333333333333 "
                         "(should be: 0.5); row 1, column 1 is 0.3333333333333333 (should be: 0.5).")
        self.assertEqual(images["scores, head 0, yours: 3 × 3"], "No number differs from what it should be.")

    def test_the_walk_goes_in_stage_order_and_opens_at_the_first_wrong_step(self):
        page = self.show("traced")
        steps = page.ask("""return [...document.querySelectorAll('[data-property="weights/rows-sum-to-one"] .step')].map((s) =>
          [s.dataset.tensor, s.open, s.querySelector('.step-words').textContent])""")
        right = "— as it should be"
        self.assertEqual(steps, [
            ["q", False, right], ["k", False, right], ["v", False, right], ["v_heads", False, right], ["scores", False, right],
            ["scaled", False, right], ["masked", True, "— 6 numbers differ"], ["weights", True, "— 6 numbers differ"],
            ["heads", False, "— 4 numbers differ"], ["merged", False, "— 4 numbers differ"], ["y", False, "— 4 numbers differ"]])
        stages = [words(text) for text in page.texts(".stages li")]
        self.assertEqual(len(stages), 9)
        self.assertEqual(stages[3], "scale: divided by √d_head, no fault found")
        self.assertEqual(stages[4], "✗ mask: later tokens hidden, first wrong step")
        self.assertEqual(stages[5], "softmax: each row made into weights, comes after it")

    def test_inputs_places_and_digits(self):
        page = self.show("traced")
        hand = words(page.texts('[data-property="weights/rows-sum-to-one"] .by-hand')[0])
        self.assertIn("3 tokens, 2 heads, d_head = 1, d_model = 2.", hand)
        self.assertIn("w_q = w_kall 0 (2 × 2)", hand)
        self.assertIn("w_v = w_oidentity (2 × 2)", hand)
        self.assertIn("any will dow_v, w_o", hand)
        self.assertEqual(page.texts('[data-property="weights/rows-sum-to-one"] .input td:not(:empty)'), ["1", "2", "3", "4", "5", "6"])
        where = [words(text) for text in page.texts(".where tbody tr")]
        self.assertEqual(where, ["row 0 of head 0 of weights10.3333333333333333", "weights[1, 1, 0]0.50.3333333333333333",
                                 "y[0, 0]10.99999999999999982.220446049250313e-163.3e-16"])  # the last within rounding's reach: bounds too
        self.assertEqual(page.texts('[data-property="output/agrees-with-reference"] td[data-mark]'), ["0.9999999999999998* differs"])
        page = self.show("long")
        cells = page.texts('[data-tensor="scores"] .matrix td:not(:empty)')
        self.assertEqual(cells[:9], ["NaN", "Infinity", "-0", "0.30000000000000004", "-123456.789012345", "1e+22",
                                     "2.5", "5e-324", "-Infinity"])

    def test_what_is_left_out_or_unknown_is_said(self):
        page = self.show("long")
        text = words(page.texts("main")[0])
        for said in ("5000 numbers, too many", "6000 numbers, too many", "its shape is 2 × 1 and should be 1 × 2", "something new",
                     "Alike on 31 of 40 inputs", "These are 2 mistakes together", "something-else", "read out through y"):
            self.assertIn(said, text)
        self.assertEqual(page.texts('[data-property="weights/upper-triangle-zero"] .step-name'), ["scores", "weights", "y", "unheard_of"])
        # 12 columns are too many for numbers; the mark is there all the same, and the table has the digits.
        self.assertEqual(page.texts('[data-tensor="weights"] text.number'), ["*"])
        place = page.ask("const c = document.querySelector('[data-tensor=weights] .cell[data-mark]'); return [c.dataset.row, c.dataset.column]")
        self.assertEqual(place, ["3", "11"])
        self.assertEqual(page.texts('[data-tensor="weights"] td.here'), ["1e-7* differs"])

    def test_a_record_that_cannot_be_drawn_is_shown_as_it_stands(self):
        page = self.show("strange")
        self.assertEqual(page.texts("h1"), ["strange.py"])
        self.assertEqual(json.loads(page.texts("pre")[0]), page_records.strange())
        self.assertEqual(page.complaints(), [])

    def test_a_name_is_a_guess_with_evidence_and_its_remedy_is_folded(self):
        page = self.show("traced")
        guess = words(page.texts(".guess")[0])
        for said in ("Looks like: hidden weights zeroed after the softmax", "Identical on 200 of 200 inputs", "It is a guess", "fill = 0",
                     "weights of later tokens set to 0 (mask-on-weights)", "which scores are in the sum", "mask-after-softmax"):
            self.assertIn(said, guess)
        self.assertFalse(page.ask("return document.querySelector('.fix').open"))
        self.assertEqual(self.show("passed").count(".diagnosis"), 0)

    def test_less_detail_is_drawn_without_gaps(self):
        page = self.show("hint")
        page.unfold()
        text = words(page.texts("main")[0])
        for said in ("62.5 / 100", "right so far" + "shape, projections", "A question", "which scores are in the sum",
                     "this must hold, and does not always: every row of the weights sums to 1", "--for mask-after-softmax --level 2"):
            self.assertIn(said, text)
        for left_out in ("Looks like", "Show how to put it right", "Check it by hand", "See it again: attest grade", "--seed", "undefined", "null"):
            self.assertNotIn(left_out, page.texts("main")[0].replace(page.texts(".whole")[0], ""))
        page = self.show("verdict")
        text = words(page.texts("main")[0])
        self.assertIn("every row of the weights sums to 1", text)
        for left_out in ("which scores", "attest hint", "right so far", "Where it goes wrong", "A question", "--seed"):
            self.assertNotIn(left_out, text)

    def test_an_earlier_call_is_shown(self):
        hand = words(self.show("remembers").texts(".by-hand")[0])
        self.assertIn("w_q5 (1 × 1)", hand)
        self.assertIn("After a call: 2 tokens, 1 head, d_head = 1, d_model = 1; the rest as above.", hand)
        self.assertEqual(self.show("remembers").texts(".by-hand .input td:not(:empty)"), ["3", "-4"])

    def test_failures_skipped_held_and_advice(self):
        page = self.show("traced")
        self.assertEqual(page.ask("return [...document.querySelectorAll('.failure')].map((f) => f.open)"), [True, False, False])
        self.assertIn("1 failed check follows probably from the above and costs 2.5 points:", words(page.texts(".failures")[0]))
        self.assertIn("attest hint multi-head --for mask-after-softmax --level 2", page.texts(".failures")[0])
        self.assertIn("weights/rows-sum-to-one failed", page.texts(".not-judged")[0])
        self.assertIn("1 check not judged (20 points): weights/rows-sum-to-one failed", page.texts(".not-judged summary")[0])
        self.assertIn("1 check holds but earns nothing yet (5 points)", page.texts(".not-judged summary")[1])
        self.assertFalse(page.ask("return document.querySelector('.held details').open"))
        self.assertEqual(page.count(".held tbody tr"), 2)
        self.assertEqual(page.count(".advice li"), 2)
        self.assertIn("attest grade mine.py --exercise multi-head --seed 20170612", page.texts(".about")[0])
        page.ask("document.querySelector('.whole').open = true")
        page.ask("return 0")  # the toggle event comes a task later
        self.assertEqual(json.loads(page.texts(".whole pre")[0]), page_records.traced())

    def test_learners_words_stay_words(self):
        for name, index in (("hostile", 1), ("traced", 1), ("several", 3)):
            page = self.show(name, fragment=f"#file-{index}")
            page.unfold()
            self.assertEqual(page.count("main img, main b, main script, nav img"), 0, name)
            self.assertFalse(page.ask("return 'broken' in window"), name)
        page = self.show("hostile")
        self.assertEqual(page.texts("h1"), [HOSTILE.replace("/", "")])
        for selector in (".printed pre", ".advice li", ".error .plain", ".failure h3", ".verdict"):
            self.assertIn(HOSTILE, page.texts(selector)[0])

    def test_a_real_answer_that_says_such_things(self):
        name = "<img src=x onerror=alert(1)>.py"
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write("def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):\n"
                       f"    print({HOSTILE!r})\n    raise ValueError({HOSTILE!r})\n")
        ran = subprocess.run([ATTEST, "grade", name, "--format", "html=real.html", "--format", "json"], cwd=self.folder.name,
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        page = self.show(os.path.join(self.folder.name, "real.html"))
        self.assertEqual(page.texts("h1"), [name])
        self.assertEqual(page.ask("return JSON.parse(document.querySelector('script.record').textContent)"), json.loads(ran.stdout))
        self.assertIn(HOSTILE, page.texts(".error .plain")[0])
        self.assertEqual(page.count("main img, main b, main script"), 0)
        self.assertEqual(page.complaints(), [])

    def test_headings_landmarks_and_tables(self):
        for name in self.pages:
            page = self.show(name)
            page.unfold()
            levels = [int(tag[1]) for tag in page.ask("return [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((h) => h.tagName)")]
            self.assertEqual(levels[0], 1, name)
            self.assertEqual(levels.count(1), 1, name)
            for before, after in zip(levels, levels[1:]):
                self.assertLessEqual(after, before + 1, f"{name}: {levels}")
            self.assertEqual([page.count(part) for part in ("body > header", "main", "body > footer")], [1, 1, 1])
            self.assertEqual(page.count("nav:not([hidden])"), 1 if name == "several" else 0)
            self.assertEqual(page.count("th:not([scope])"), 0)
            self.assertEqual(page.count("table:not(:has(caption))"), 0)
            self.assertEqual(page.count("svg:not([aria-hidden]):not([role=img][aria-labelledby][aria-describedby])"), 0)
            ids = page.ask("return [...document.querySelectorAll('[id]')].map((e) => e.id)")
            self.assertEqual(len(ids), len(set(ids)))

    def test_a_phone_needs_no_sideways_scrolling(self):
        for name in self.pages:
            for index in range(len(page_records.all_records()[name])):
                page = self.show(name, width=360, fragment=f"#file-{index + 1}")
                page.unfold()
                self.assertEqual(page.ask("return [innerWidth, document.documentElement.scrollWidth]"), [360, 360], name)
                sizes = page.ask("""return [...document.querySelectorAll('svg.heatmap text.number, main p, main td')]
                  .filter((e) => e.checkVisibility()).map((e) => parseFloat(getComputedStyle(e).fontSize) * (e.getScreenCTM ? e.getScreenCTM().a : 1))""")
                self.assertGreaterEqual(min(sizes), 9, name)

    def test_text_stands_out_in_light_and_dark(self):
        for name in ("traced", "long", "hostile", "several"):
            for scheme in ("light", "dark"):
                page = self.show(name, scheme=scheme)
                page.unfold()
                found = page.ask(browser.CONTRASTS)
                self.assertGreater(len(found), 40)
                self.assertGreaterEqual(found[0][0], 4.5, f"{name}, {scheme}: {found[0]}")
                ground = page.ask("return getComputedStyle(document.body).backgroundColor")
                self.assertEqual(ground, {"light": "rgb(251, 250, 247)", "dark": "rgb(22, 25, 30)"}[scheme])

    def test_the_keyboard_reaches_and_opens_everything(self):
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys
        page = self.show("several", fragment="#file-2")  # the traced one
        press = lambda key: ActionChains(page.driver).send_keys(key).perform()
        folded = page.count("details")
        opened = set()
        for _ in range(400):
            press(Keys.TAB)
            at = page.ask("""const e = document.activeElement, s = getComputedStyle(e);
              const d = e.tagName === 'SUMMARY' ? e.parentElement : null;
              return [e.tagName, d && [...document.querySelectorAll('details')].indexOf(d), d && d.open,
                      s.outlineStyle, parseFloat(s.outlineWidth)]""")
            if at[0] == "BODY":
                break
            self.assertNotEqual(at[3], "none", at)
            self.assertGreaterEqual(at[4], 2, at)
            if at[1] is not None:
                opened.add(at[1])
                if not at[2]:
                    press(Keys.ENTER)
        self.assertEqual(page.count("details"), folded)
        self.assertEqual(opened, set(range(folded)))
        self.assertEqual(page.count("details:not([open])"), 0)

    def test_what_scrolls_sideways_can_be_focused(self):
        page = self.show("long", width=360)
        page.unfold()
        page.ask("dispatchEvent(new Event('resize'))")
        state = page.ask("""return [...document.querySelectorAll('.wide')].map((e) =>
          [e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight,
           e.tabIndex === 0 && e.hasAttribute('tabindex'), !!e.ariaLabel])""")
        self.assertIn([True, True, True], state)
        self.assertEqual([s for s in state if not s[0] == s[1] == s[2]], [])

    def test_several_files_are_one_page_with_a_list(self):
        page = self.show("several")
        self.assertEqual(page.texts("nav summary"), ["5 files, 2 of them passed"])
        self.assertEqual([words(text) for text in page.texts("nav tbody td:nth-child(2)")],
                         ["100 / 100", "62.5 / 100", "0 / 100", "100 / 100", "one case, no score"])
        self.assertEqual(page.texts("h1"), ["right.py"])
        page.ask("document.querySelectorAll('nav a')[1].click()")
        self.wait_for(page, ["mine.py"])
        self.assertEqual(page.texts("nav [aria-current=page]"), ["mine.py"])
        self.assertEqual(page.ask("return document.activeElement.textContent"), "mine.py")
        self.assertTrue(page.ask("return document.title").startswith("mine.py: 62.5 / 100"))
        page.driver.back()
        self.wait_for(page, ["right.py"])

    def wait_for(self, page, title):
        for _ in range(100):
            if page.texts("h1") == title:
                return
            time.sleep(0.02)
        self.assertEqual(page.texts("h1"), title)

    def test_without_scripts_it_says_what_to_do(self):
        page = self.show("traced", scripts=False)
        text = page.driver.find_element("css selector", "main").text
        self.assertIn("This report needs JavaScript to be drawn", text)
        self.assertIn("attest grade YOUR_FILE", text)

    def test_on_paper_everything_is_unfolded(self):
        page = self.show("traced")
        before = page.ask("return [...document.querySelectorAll('details')].map((d) => d.open)")
        page.ask("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(page.count("details:not([open]):not(.whole)"), 0)
        page.tell("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(page.ask("return getComputedStyle(document.querySelector('.wide')).overflowX"), "visible")
        page.ask("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(page.ask("return [...document.querySelectorAll('details')].map((d) => d.open)"), before)
        self.assertGreater(len(page.tell("Page.printToPDF")["data"]), 10000)

    @unittest.skipUnless("ATTEST_PICTURES" in os.environ, "no folder for them was named")
    def test_pictures(self):
        for name in self.pages:
            for width in (1000, 360):
                for scheme in ("light", "dark"):
                    page = self.show(name, width=width, scheme=scheme)
                    page.picture(os.path.join(os.environ["ATTEST_PICTURES"], f"{name}-{width}-{scheme}.png"))


if __name__ == "__main__":
    browser.need_a_browser()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
