"""The three seed properties as a user of Hypothesis and NumPy would write them: `hypothesis_peer.py FILE VARIANT EXAMPLES`.

VARIANT says how inputs are drawn: `seed` draws shapes and the seed of NumPy's generator, `arrays` every number, so that it
shrinks. Prints the examples that were run, and the seconds without those of the imports.
"""

import json
import runpy
import sys
import time

import hypothesis
import hypothesis.strategies as st
import numpy as np
from hypothesis.extra.numpy import arrays

ATTENTION = runpy.run_path(sys.argv[1])["causal_multi_head_attention"]
VARIANT, EXAMPLES = sys.argv[2], int(sys.argv[3])
ROUNDING = 1e-12
examples = 0


@st.composite
def inputs(draw):
    n_tokens, n_heads, d_head = draw(st.integers(1, 8)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    d_model = n_heads * d_head
    shapes = [(n_tokens, d_model)] + 4 * [(d_model, d_model)]
    if VARIANT == "seed":
        generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        return [generator.standard_normal(shape) for shape in shapes] + [n_heads]
    numbers = st.floats(-4, 4, width=32)
    return [draw(arrays(np.float64, shape, elements=numbers)) for shape in shapes] + [n_heads]


def as_often_as_attest(test):
    return hypothesis.settings(max_examples=EXAMPLES, database=None, deadline=None,
                               suppress_health_check=list(hypothesis.HealthCheck))(test)


def counted():
    global examples
    examples += 1


@as_often_as_attest
@hypothesis.given(inputs())
def rows_sum_to_one(call):
    counted()
    _, weights = ATTENTION(*call)
    assert np.allclose(weights.sum(axis=-1), 1, rtol=0, atol=ROUNDING)


@as_often_as_attest
@hypothesis.given(inputs())
def upper_triangle_is_zero(call):
    counted()
    _, weights = ATTENTION(*call)
    assert not np.triu(weights, 1).any()


@as_often_as_attest
@hypothesis.given(inputs(), st.data())
def cutting_leaves_earlier_rows(call, data):
    counted()
    x, *rest = call
    cut = data.draw(st.integers(1, len(x)))
    y, _ = ATTENTION(x, *rest)
    shorter, _ = ATTENTION(x[:cut], *rest)
    assert np.allclose(shorter, y[:cut], rtol=1e-9, atol=1e-9)


start = time.perf_counter()
for test in (rows_sum_to_one, upper_triangle_is_zero, cutting_leaves_earlier_rows):
    test()
print(json.dumps({"cases": examples, "seconds": time.perf_counter() - start}))
