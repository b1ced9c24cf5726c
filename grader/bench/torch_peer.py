"""Causal multi-head attention in PyTorch, float32, one thread: `torch_peer.py T REPETITIONS` prints milliseconds by mode.

d_model = 768, 12 heads, output projection included. The modes are what PyTorch offers and what people write by hand; all must
give the same. glibc gives large blocks back to the system after each call, and page faults then cost more than the arithmetic:
mallopt keeps them, here as in the program that this is compared with.
"""

import ctypes
import json
import math
import sys
import time

M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -3, -1
libc = ctypes.CDLL("libc.so.6")
libc.mallopt(M_MMAP_THRESHOLD, 1 << 30)
libc.mallopt(M_TRIM_THRESHOLD, (1 << 31) - 1)  # an int: as much as it can say

import torch  # noqa: E402  after mallopt
import torch.nn.functional as F  # noqa: E402

T, REPETITIONS = int(sys.argv[1]), int(sys.argv[2])
D_MODEL, HEADS = 768, 12
D_HEAD = D_MODEL // HEADS

torch.set_num_threads(1)
torch.manual_seed(0)
x = torch.randn(T, D_MODEL)
w_q, w_k, w_v, w_o = (torch.randn(D_MODEL, D_MODEL) / math.sqrt(D_MODEL) for _ in range(4))
w_qkv = torch.cat([w_q, w_k, w_v], dim=1)
hidden = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)
mask = torch.zeros(T, T).masked_fill_(hidden, -math.inf)

layer = torch.nn.MultiheadAttention(D_MODEL, HEADS, bias=False, batch_first=True).eval()
biased = torch.nn.MultiheadAttention(D_MODEL, HEADS, bias=True, batch_first=True).eval()  # its fast path wants biases
for module in (layer, biased):
    module.in_proj_weight.data = w_qkv.T.contiguous()
    module.out_proj.weight.data = w_o.T.contiguous()
    if module.in_proj_bias is not None:
        module.in_proj_bias.data.zero_(), module.out_proj.bias.data.zero_()
batch = x[None]


def split(a):
    return a.view(T, HEADS, D_HEAD).transpose(0, 1)


def merge(heads):
    return heads.transpose(0, 1).reshape(T, D_MODEL) @ w_o


def projections():
    return [split(part) for part in (x @ w_qkv).split(D_MODEL, dim=1)]


def by_hand_masked_fill():
    q, k, v = projections()
    scores = (q @ k.transpose(1, 2)) / math.sqrt(D_HEAD)
    return merge(scores.masked_fill(hidden, -math.inf).softmax(-1) @ v)


def by_hand_in_place():
    q, k, v = projections()
    scores = (q * (1 / math.sqrt(D_HEAD))) @ k.transpose(1, 2)
    scores += mask
    return merge(torch.softmax(scores, -1, out=scores) @ v)


def by_hand_baddbmm():
    q, k, v = projections()
    scores = torch.baddbmm(mask, q, k.transpose(1, 2), alpha=1 / math.sqrt(D_HEAD))
    return merge(torch.bmm(scores.softmax(-1), v))


def by_hand_head_by_head():
    heads = []
    for q, k, v in zip(*projections()):
        scores = torch.addmm(mask, q, k.T, alpha=1 / math.sqrt(D_HEAD))
        heads.append(torch.softmax(scores, -1, out=scores) @ v)
    return torch.cat(heads, dim=1) @ w_o


def scaled_dot_product_attention():  # not public yet in 1.13
    return merge(F._scaled_dot_product_attention(*projections(), mask)[0])


def functional():
    rows = x[:, None]
    return F.multi_head_attention_forward(rows, rows, rows, D_MODEL, HEADS, layer.in_proj_weight, None, None, None, False, 0.0,
                                          layer.out_proj.weight, None, training=False, need_weights=False,
                                          attn_mask=mask)[0][:, 0]


def module_():
    return layer(batch, batch, batch, attn_mask=mask, need_weights=False)[0][0]


def module_fast_path():
    return biased(batch, batch, batch, attn_mask=hidden, need_weights=False)[0][0]


def milliseconds(mode):
    start = time.perf_counter()
    mode()
    return 1000 * (time.perf_counter() - start)


def main():
    times = {}
    with torch.inference_mode():
        right = by_hand_masked_fill()
        modes = {}
        for mode in (by_hand_masked_fill, by_hand_in_place, by_hand_baddbmm, by_hand_head_by_head, scaled_dot_product_attention,
                     functional, module_, module_fast_path):
            try:
                if not torch.allclose(mode(), right, atol=1e-3):
                    raise RuntimeError("another result")
                modes[mode.__name__] = mode
            except Exception as error:  # another version of PyTorch: without this mode
                print(f"{mode.__name__}: {error}", file=sys.stderr)
        for _ in range(REPETITIONS):
            for name, mode in modes.items():
                times.setdefault(name, []).append(milliseconds(mode))
    print(json.dumps({"version": torch.__version__, "milliseconds": {name: min(all_) for name, all_ in times.items()}}))


main()
