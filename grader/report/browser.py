"""A headless Chromium for page_test.py, and what is asked of a page that it shows."""
import base64
import os
import re
import shutil
import sys

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def need_a_browser():
    """Ends the program unless there is a browser: skipped where the system has none as a package, a failure anywhere else."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    try:
        import selenium  # noqa: F401
    except ImportError:
        missing.append("selenium")
    if not missing:
        return
    print(f"missing: {', '.join(missing)} (Debian packages chromium, chromium-driver, python3-selenium)")
    try:
        with open("/etc/os-release", encoding="utf-8") as file:
            ubuntu = "ubuntu" in file.read().lower()  # has Chromium as a snap only, which containers cannot run
    except OSError:
        ubuntu = False
    sys.exit(SKIPPED if ubuntu else 1)


class Browser:
    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        # No sandbox: root has none, and containers lack what it is made of. The pages are our own.
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(word)
        options.binary_location = shutil.which("chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_page_load_timeout(60)

    def quit(self):
        self.driver.quit()

    def tell(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def ask(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def show(self, path, width=1000, scheme="light", scripts=True, fragment=""):
        self.driver.get("about:blank")
        self.tell("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 500)
        self.tell("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for log in ("browser", "performance"):
            self.driver.get_log(log)  # what came before is not this page's
        self.driver.get("file://" + path + fragment)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The addresses asked for since show()."""
        messages = [entry["message"] for entry in self.driver.get_log("performance")]
        return [url for message in messages if '"Network.requestWillBeSent"' in message
                for url in re.findall(r'"documentURL":"[^"]*".*?"url":"([^"]*)"', message)]

    def unfold(self):
        self.ask("for (const d of document.querySelectorAll('details')) d.open = true")

    def texts(self, selector):
        return self.ask("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def count(self, selector):
        return self.ask("return document.querySelectorAll(arguments[0]).length", selector)

    def picture(self, path):
        height = self.ask("return document.documentElement.scrollHeight")
        width = self.ask("return innerWidth")
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.tell("Page.captureScreenshot", format="png")["data"]))


# Every visible text with the contrast to what lies behind it (WCAG 2.2, 1.4.3): [[ratio, text, colours]], smallest first.
CONTRASTS = r"""
const parse = (text) => { const n = text.match(/[\d.]+/g).map(Number); return {rgb: n.slice(0, 3), a: n.length > 3 ? n[3] : 1}; };
const over = (top, a, below) => top.map((c, i) => c * a + below[i] * (1 - a));
const light = (rgb) => { const [r, g, b] = rgb.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
const behind = (e) => { const layers = [];
  for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c.a > 0) layers.push(c);
    if (c.a === 1) break;
  }
  return layers.reverse().reduce((below, c) => over(c.rgb, c.a, below), [255, 255, 255]); };
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const e = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || e.closest("script, style, title, desc, .unseen, .skip") || !e.checkVisibility()) continue;
  const style = getComputedStyle(e);
  const svg = e.closest("svg");
  let grounds = [behind(e)];
  if (e.classList.contains("number")) {
    const cell = getComputedStyle(e.previousElementSibling);
    if (cell.fill.startsWith("url")) grounds.push(parse(getComputedStyle(document.querySelector(".hatch-line")).stroke).rgb);
    else grounds = [over(parse(cell.fill).rgb, Number(cell.fillOpacity), grounds[0])];
  }
  const ink = parse(svg ? style.fill : style.color).rgb;
  for (const ground of grounds) {
    const colours = ink.join() + " on " + ground.map(Math.round).join();
    found.push([ratio(ink, ground), walker.currentNode.data.slice(0, 40), colours]);
  }
}
return found.sort((a, b) => a[0] - b[0]);
"""
