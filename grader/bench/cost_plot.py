"""Cost over size as an SVG, both axes logarithmic, with the lines that T² d would follow."""

import math

WIDTH, HEIGHT = 640, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 20, 50
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad")


def write(costs, path):
    """`costs`: "T d_model" -> seconds. One curve for each d_model that was measured at three T or more."""
    points = {tuple(map(int, size.split())): seconds for size, seconds in costs.items()}
    widths = sorted({d for _, d in points})
    curves = {d: sorted((T, seconds) for (T, width), seconds in points.items() if width == d) for d in widths}
    curves = {d: curve for d, curve in curves.items() if len(curve) >= 3}
    tokens = [T for curve in curves.values() for T, _ in curve]
    seconds = [cost for curve in curves.values() for _, cost in curve]
    low, high = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))

    def x(T):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(T / min(tokens)) / math.log(max(tokens) / min(tokens))

    def y(cost):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log10(cost) - low) / (high - low)

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']

    def text(px, py, words, anchor="middle", colour="black"):
        svg.append(f'<text x="{px:.1f}" y="{py:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>')

    def line(curve, style):
        svg.append(f'<polyline fill="none" {style} points="{" ".join(f"{x(T):.1f},{y(cost):.1f}" for T, cost in curve)}"/>')

    for decade in range(low, high + 1):
        line([(min(tokens), 10.0**decade), (max(tokens), 10.0**decade)], 'stroke="#ddd"')
        text(LEFT - 8, y(10.0**decade) + 4, f"{10.0**decade:g} s", "end")
    for T in sorted(set(tokens)):
        text(x(T), HEIGHT - BOTTOM + 18, T)
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "T, tokens")
    for (d, curve), colour in zip(curves.items(), COLOURS):
        line(curve, f'stroke="{colour}" stroke-width="2"')
        for T, cost in curve:
            svg.append(f'<circle cx="{x(T):.1f}" cy="{y(cost):.1f}" r="3" fill="{colour}"/>')
        longest, last = curve[-1]
        ideal = [(T, last * (T / longest) ** 2) for T, _ in curve]
        line([(T, cost) for T, cost in ideal if cost >= 10.0**low], f'stroke="{colour}" stroke-dasharray="4 4"')
        middle, cost = curve[len(curve) // 2]
        below = d == min(curves)  # the others' names stand above theirs
        text(x(middle) + (12 if below else -12), y(cost) + (16 if below else -8), f"d_model = {d}", "start" if below else "end", colour)
    svg.append("</svg>")
    path.write_text("\n".join(svg) + "\n")
    return path
