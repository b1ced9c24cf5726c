"""Records that page_test.py shows in the page, small enough to be worked out by hand, and what makes a page of them.

traced() is the contract's record with everything in it: causal attention with 3 tokens and 2 heads of size 1, x = [1 2; 3 4; 5 6],
w_q = w_k = 0 and w_v = w_o = identity, answered by code that hides weights after the softmax. Its scores are all 0, so

    weights  should be  1    0    0      yours  1/3  0    0       in both heads: 3 cells differ in each
                        1/2  1/2  0             1/3  1/3  0
                        1/3  1/3  1/3           1/3  1/3  1/3
    masked   -inf above the diagonal (3 cells), yours 0
    y        should be  [1 2; 2 3; 3 4]  yours  [1/3 2/3; 4/3 2; 3 4]: 4 cells differ
"""
import json
import re

HOSTILE = "</script><img src=x onerror=\"window.broken = true\"><!-- <b>&amp;"
TOKEN = "a1:multi-head:float64:T.3:d_head.1:n_heads.2:signs:s.0:z.w_q"

RECORD = re.compile(r'<script type="application/json" class="record">(.*?)</script>\n', re.DOTALL)


def page_of(real_page, records):
    """The page that `attest grade --format html` wrote, with other records in it."""
    before, after = real_page[:RECORD.search(real_page).start()], real_page[list(RECORD.finditer(real_page))[-1].end():]
    elements = [json.dumps(record).replace("<", "\\u003c") for record in records]
    return before + "".join(f'<script type="application/json" class="record">{e}</script>\n' for e in elements) + after


def held(id, title, group, earns, **more):
    return {"id": id, "title": title, "outcome": "passed", "group": group, "skip_reason": None, "cases": 200,
            "points": {"earned": earns, "possible": earns}, "counterexample": None, "explanation": None, "reproduce": None} | more


def base(file, **more):
    return {
        "schema": "attest.report/1", "version": "0.1.0", "exercise": "multi-head",
        "submission": {"id": None, "file": file, "language": "python", "sha256": "a" * 64},
        "outcome": "passed", "error": None, "output_tail": "", "score": {"earned": 100.0, "possible": 100.0}, "seed": "20170612",
        "dtype": "float64", "cases": 1234, "wall_ms": 512.3, "signature": "default",
        "isolation": {"level": "strict", "walls": ["seccomp", "landlock"]}, "limits": {"call_cpu_s": 2.0}, "rubric_sha256": "b" * 64,
        "environment": {"attest": "0.1.0", "python": "3.11.2", "numpy": "1.24.2", "blas": None, "compiler": None, "cpu": None},
        "properties": [held("output/shape", "results have the promised shapes", "shape", 10.0)],
        "first_wrong_stage": None, "diagnosis": [], "advice": []} | more


THIRD, TWO_THIRDS = 1 / 3, 2 / 3
ZEROS = [[0.0] * 3] * 3
HIDDEN = [[0.0, "-Infinity", "-Infinity"], [0.0, 0.0, "-Infinity"], [0.0, 0.0, 0.0]]
WEIGHTS = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [THIRD, THIRD, THIRD]]
YOURS = [[THIRD, 0.0, 0.0], [THIRD, THIRD, 0.0], [THIRD, THIRD, THIRD]]
X = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
NONE, IDENTITY = [[0.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]
Y, YOUR_Y = [[1.0, 2.0], [2.0, 3.0], [3.0, 4.0]], [[THIRD, TWO_THIRDS], [4 / 3, 2.0], [3.0, 4.0]]


def same(value):
    return {"expected": value, "actual": value}


def by_heads(matrix):
    return [[[row[g]] for row in matrix] for g in range(2)]


def trace():
    # Not in stage order: that is the page's to know.
    return {
        "y": {"expected": Y, "actual": YOUR_Y},
        "weights": {"expected": [WEIGHTS] * 2, "actual": [YOURS] * 2},
        "q": same([[0.0, 0.0]] * 3), "k": same([[0.0, 0.0]] * 3), "v": same(X),
        "v_heads": same(by_heads(X)),
        "scores": same([ZEROS] * 2), "scaled": same([ZEROS] * 2),
        "masked": {"expected": [HIDDEN] * 2, "actual": [ZEROS] * 2},
        "heads": {"expected": by_heads(Y), "actual": by_heads(YOUR_Y)},
        "merged": {"expected": Y, "actual": YOUR_Y},
    }


def counterexample(tensor, index, expected, actual, **more):
    return {
        "token": TOKEN, "shape": {"T": 3, "d_head": 1, "d_model": 2, "n_heads": 2},
        "inputs": {"x": X, "w_q": NONE, "w_k": NONE, "w_v": IDENTITY, "w_o": IDENTITY, "n_heads": 2}, "irrelevant": ["w_v", "w_o"],
        "where": {"tensor": tensor, "index": index}, "expected": expected, "actual": actual, "error": abs(expected - actual),
        "bound": 3.3e-16, "transform": None, "trace": {}} | more


def failed(id, title, group, costs, explanation, found, **more):
    return held(id, title, group, costs, outcome="falsified", points={"earned": 0.0, "possible": costs}, counterexample=found,
                explanation=explanation, reproduce=f"attest grade mine.py --case {TOKEN}") | more


def traced():
    return base(
        "mine.py", outcome="falsified", score={"earned": 62.56, "possible": 100.0}, output_tail=HOSTILE + "\nsecond line",
        properties=[
            held("output/shape", "results have the promised shapes", "shape", 10.0),
            held("values/first-row", "the first token's output is its own value, projected", "projections", 12.56),
            failed("weights/rows-sum-to-one", "every row of the weights sums to 1", "softmax", 15.0,
                   "row 0 of head 0 of your weights sums to 0.3333; every row must sum to 1",
                   counterexample("weights", [0, 0], 1.0, THIRD, trace=trace()),
                   look_at="the axis of the sum, what is still in the sum when it is taken",
                   ask="over which tokens should this row's exponentials be summed?"),
            failed("weights/uniform-when-query-is-zero", "with queries 0 every visible token has the same weight", "softmax", 10.0,
                   "with all queries 0, token 1 must give each token it sees the same weight, 0.5; yours gives 0.3333",
                   counterexample("weights", [1, 1, 0], 0.5, THIRD, transform="tokens from 3 on removed",
                                  trace={"weights": {"expected": [WEIGHTS] * 2, "actual": [YOURS] * 2}})),
            failed("output/agrees-with-reference", "y is what the reference gives", "mask", 10.0, "y[0, 0] should be 1 and is 0.3333",
                   counterexample("y", [0, 0], 1.0, 1.0 - 2 ** -52, trace={"y": {"expected": [[1.0]], "actual": [[1.0 - 2 ** -52]]}}),
                   follows_from="weights/rows-sum-to-one", points={"earned": 7.5, "possible": 10.0}),
            held("scores/log-ratios", "ratios of weights are exponentials of differences of scores", "scale", 20.0, outcome="skipped",
                 skip_reason="weights/rows-sum-to-one failed", points={"earned": 0.0, "possible": 20.0}, cases=0),
            held("causality/future-tokens-replaced", "later tokens change nothing", "mask", 5.0,
                 waits_for="weights/rows-sum-to-one", points={"earned": 0.0, "possible": 5.0}),
        ],
        right_so_far=["shape", "projections"], not_judged=["scale"], judged_in_part=[],
        hint="attest hint multi-head --for mask-after-softmax --level 2",
        first_wrong_stage="mask",
        location={"stage": "mask", "missing": True, "right": {"name": "k", "line": 8, "function": "f", "stage": "split"},
                  "wrong": {"name": "scores", "line": 12, "function": "f"},
                  "text": "after `scores` (line 12) the mask is missing; `k` (line 8) is right" + HOSTILE},
        diagnosis=[{"bug": "mask-after-softmax", "agreed": 200, "of": 200, "params": {"fill": 0}, "equivalent": ["mask-on-weights"],
                    "equivalent_titles": ["weights of later tokens set to 0"], "title": "hidden weights zeroed after the softmax",
                    "ask": "which scores are in the sum that a row is divided by?", "fix": "Hide scores before the softmax: add -inf to them."}],
        advice=[{"kind": "actionable", "text": "next: attest hint multi-head"}, {"kind": "informative", "text": HOSTILE}])


def reduced(detail):
    """traced() as `--detail` leaves it (grader/report/detail.cpp)."""
    record = traced() | {"detail": detail, "seed": None, "location": None, "first_wrong_stage": None, "advice": []}
    for row in record["properties"]:
        row |= {"counterexample": None, "reproduce": None, "explanation": None}
        row.pop("look_at", None)
        row.pop("ask", None)
        if detail == "hint" and row["outcome"] == "falsified":
            row["explanation"] = "this must hold, and does not always: " + row["title"]
    if detail == "hint":
        record["diagnosis"] = [{key: record["diagnosis"][0][key] for key in ("bug", "agreed", "of", "ask")}]
    else:
        record |= {"diagnosis": [], "right_so_far": [], "not_judged": [], "hint": None}
    return record


def remembers():
    """Right as a first call; after one with two tokens, wrong."""
    found = counterexample("y", [0, 0], 1.0, 2.0, shape={"T": 1, "d_head": 1, "d_model": 1, "n_heads": 1},
                           inputs={"x": [[1.0]], "w_q": [[5.0]], "n_heads": 1}, irrelevant=[],
                           before=[{"shape": {"T": 2, "d_head": 1, "d_model": 1, "n_heads": 1},
                                    "inputs": {"x": [[3.0], [-4.0]], "w_q": [[5.0]], "n_heads": 1}}])
    return base("cached.py", outcome="falsified", score={"earned": 95.0, "possible": 100.0},
                properties=[failed("state/history", "earlier calls do not change a later one", "state", 5.0,
                                   "after other calls y[0, 0] is 2; a first call with the same arguments gives 1", found)])


def long_one():
    """12 tokens, long numbers, numbers that are none, a name that a phone cannot show in one line, things nobody knows yet."""
    lower = [[1 / (i + 1) if j <= i else 0.0 for j in range(12)] for i in range(12)]
    wrong = [list(row) for row in lower]
    wrong[3][11] = 1e-7
    odd = [["NaN", "Infinity", -0.0], [0.1 + 0.2, -123456.789012345, 1e22], [2.5, 5e-324, "-Infinity"]]
    found = counterexample(
        "weights", [0, 3, 11], 0.0, 1e-7, bound=1e-9, shape={"T": 12, "d_model": 30, "n_heads": 1},
        inputs={"x": [[(i * 31 + j) / 7 for j in range(30)] for i in range(12)]}, irrelevant=[], read_out=True,
        trace={"weights": {"expected": [lower], "actual": [wrong]}, "y": {"expected": [[1.0, 2.0]], "actual": [[1.0], [2.0]]},
               "scores": {"expected": odd, "actual": odd}, "unheard_of": same([[[[1.0, 2.0]]]])})
    del found["inputs"]["x"][6:]
    return base(
        "a-name-as-long-as-names-in-a-class-become_" + "surname-" * 12 + ".py", outcome="something_new", exercise=None, score=None,
        signature="out-in", later_field={"a": 1},
        properties=[failed("weights/upper-triangle-zero", "weights above the diagonal are exactly 0", "mask", 10.0,
                           "token 3 gives weight 1e-07 to token 11, which comes after it; it must be exactly 0", found),
                    failed("state/pure", "arguments stay as they are", "state", 5.0, "left out",
                           counterexample("x", [0, 0], 1.0, 2.0, trace_omitted=5000, inputs_omitted=6000)
                           | {"called_with": {"w_qkv": [[0.5] * 6] * 2}})],
        diagnosis=[{"bug": "scale-missing+mask-none", "agreed": 31, "of": 40}], first_wrong_stage="something-else")


def hostile():
    """Every text a learner can have a hand in says what would break out of a page that believed it."""
    return base(
        HOSTILE.replace("/", ""), outcome="raised", score={"earned": 0.0, "possible": 100.0}, output_tail=HOSTILE,
        first_message="your function raised " + HOSTILE,
        error={"kind": "raised", "message": HOSTILE, "file": HOSTILE.replace("/", ""), "line": 3, "traceback": HOSTILE},
        properties=[held("output/shape", "results have the promised shapes", "shape", 10.0, outcome="raised",
                         points={"earned": 0.0, "possible": 10.0}, explanation=HOSTILE, reproduce="attest grade " + HOSTILE,
                         counterexample={"token": "", "shape": {"T": 1}, "irrelevant": [], "transform": None, "trace": {},
                                         "fault": {"message": HOSTILE, "file": None, "line": None}})],
        advice=[{"kind": "essential", "text": HOSTILE}])


def strange():
    """No record of ours: what is left when a later version takes something away."""
    return {"schema": "attest.report/2", "submission": {"file": "strange.py"}, "outcome": "passed"}


def all_records():
    return {"strange": [strange()], "traced": [traced()], "long": [long_one()], "hostile": [hostile()], "passed": [base("right.py")],
            "hint": [reduced("hint")], "verdict": [reduced("verdict")], "remembers": [remembers()],
            "several": [base("right.py"), traced(), hostile(), base("right.py"), long_one()]}
