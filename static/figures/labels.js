// Labels of points: Plotly does not keep them apart. Places around the point are tried, near ones first, then far ones
// with a thin lead; the first is taken that touches no mark, line, label or edge and lies nearest to its own point.
// If none is free, the label is left to the hover and the table.
const ruler = document.createElement("canvas").getContext("2d");
const spots = [[12, 0], [10, -15], [10, 15], [0, -15], [0, 15], [-12, 0], [-10, -15], [-10, 15], [10, -33], [10, 33], [-10, 33], [-10, -33],
  [28, 44], [-28, 44], [36, -44], [-36, -44], [52, 60], [-52, 60]];
const signs = { amp: "&", lt: "<", gt: ">", "#123": "{" };   // what stands for words of people (inert in figure.py)
const lerp = (a, b, t) => a + (b - a) * t;
const size = () => document.documentElement.classList.contains("printing") ? 10 : 12;

export function width(text, bold = false) {
  ruler.font = `${bold ? "600 " : ""}${size()}px ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(text.replace(/<[^>]+>/g, "").replace(/&(#?\w+);/g, (_, e) => signs[e] ?? "x")).width;
}
// Room for texts outside of the axes, which automargin does not see.
export const room = (texts, pad = 12) => Math.ceil(1.06 * Math.max(0, ...texts.map(t => width(t)))) + pad;

// Data -> pixels, log axes included; `to` gives what an annotation takes (the exponent on a log axis).
function view(plot, layout) {
  const m = layout.margin, w = plot.clientWidth - m.l - m.r, h = plot.clientHeight - m.t - m.b;
  const to = (a, v) => a.type === "log" ? Math.log10(v) : v;
  const at = (a, v) => (to(a, v) - a.range[0]) / (a.range[1] - a.range[0]);
  const value = (a, u) => { const v = lerp(a.range[0], a.range[1], u); return a.type === "log" ? 10 ** v : v; };
  return { box: { l: m.l, t: m.t, r: m.l + w, b: m.t + h }, x: v => m.l + w * at(layout.xaxis, v), y: v => m.t + h * (1 - at(layout.yaxis, v)),
    back: px => value(layout.xaxis, (px - m.l) / w), backY: py => value(layout.yaxis, 1 - (py - m.t) / h), ax: v => to(layout.xaxis, v), ay: v => to(layout.yaxis, v) };
}

// The name of a level limit sits on its line, at the first place from the left where it covers nothing.
function alongside({ text, y }, taken, p) {
  const W = width(text) + 4, py = p.y(y);
  for (const [top, up] of [[py - 16, true], [py + 3, false]]) for (let l = p.box.l + 6; l + W < p.box.r; l += 8)
    if (!taken.some(t => l < t[2] && t[0] < l + W && top < t[3] && t[1] < top + 13)) {
      taken.push([l, top, l + W, top + 13]);
      return [{ text, xref: "paper", x: 0, xshift: l - p.box.l, y: p.ay(y), xanchor: "left", yanchor: up ? "bottom" : "top", yshift: up ? -1 : 1, showarrow: false, font: { color: "@ink2" } }];
    }
  return [];
}

function place(wanted, taken, p) {
  const box = p.box, names = [];
  const hit = b => b[0] < box.l || b[2] > box.r || b[1] < box.t || b[3] > box.b || taken.some(t => b[0] < t[2] && t[0] < b[2] && b[1] < t[3] && t[1] < b[3]);
  const away = (b, x, y) => Math.hypot(Math.max(b[0] - x, 0, x - b[2]), Math.max(b[1] - y, 0, y - b[3]));
  return wanted.flatMap(w => {
    const W = width(w.text, w.bold) + 4, px = p.x(w.x), py = p.y(w.y);
    for (const [dx, dy] of spots) {
      const l = px + dx - (dx < 0 ? W : dx ? 0 : W / 2), b = [l, py + dy - 7, l + W, py + dy + 7], far = Math.abs(dy) > 30;
      const lead = far ? [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map(k => [px + dx * k, py + dy * k]) : [];
      if (lead.some(([x, y]) => names.some(t => x > t[0] && x < t[2] && y > t[1] && y < t[3]))) continue;
      if (hit(b) || !far && wanted.some(o => o !== w && Math.hypot(p.x(o.x) - px, p.y(o.y) - py) > 10 && away(b, p.x(o.x), p.y(o.y)) < away(b, px, py) + 4)) continue;
      taken.push(b, ...lead.map(([x, y]) => [x - 1, y - 1, x + 1, y + 1]));
      names.push(b);
      return [{ text: w.bold ? `<b>${w.text}</b>` : w.text, x: p.ax(w.x), y: p.ay(w.y), xanchor: dx < 0 ? "right" : dx ? "left" : "center", yanchor: "middle", font: { color: w.color || "@ink" },
        ...(far ? { showarrow: true, arrowhead: 0, arrowwidth: 1, arrowcolor: "@ink2", standoff: 9, ax: dx, ay: dy } : { showarrow: false, xshift: dx, yshift: -dy }) }];
    }
    return [];
  });
}

// Annotations for a figure's wishes: {wanted, marks: [x, y, radius], stairs: corners of a step line, level, plumb: named limits}.
export function labels(wish, plot, layout) {
  if (!wish.wanted) return [];
  const p = view(plot, layout), box = (x, y, r) => [x - r, y - r, x + r, y + r];
  const taken = (wish.marks || []).map(([x, y, r]) => box(p.x(x), p.y(y), r));
  const stairs = wish.stairs || [];
  for (let i = 1; i < stairs.length; i++) for (let k = 0; k <= 20; k++) {
    const [ax, ay] = [p.x(stairs[i - 1][0]), p.y(stairs[i - 1][1])], [bx, by] = [p.x(stairs[i][0]), p.y(stairs[i][1])];
    taken.push(box(lerp(ax, bx, k / 20), ay, 2), box(bx, lerp(ay, by, k / 20), 2));
  }
  for (const line of wish.lines || []) for (let i = 1; i < line.length; i++) {
    const [ax, ay, bx, by] = [p.x(line[i - 1][0]), p.y(line[i - 1][1]), p.x(line[i][0]), p.y(line[i][1])], steps = Math.ceil(Math.hypot(bx - ax, by - ay) / 6) || 1;
    for (let k = 0; k <= steps; k++) taken.push(box(lerp(ax, bx, k / steps), lerp(ay, by, k / steps), 2));
  }
  const inside = (v, low, high) => v >= low && v <= high;
  const level = (wish.level || []).filter(l => inside(p.y(l.y), p.box.t, p.box.b)), plumb = (wish.plumb || []).filter(l => inside(p.x(l.x), p.box.l, p.box.r));
  const out = level.flatMap(l => alongside(l, taken, p));
  for (const l of level) taken.push([p.box.l, p.y(l.y) - 3, p.box.r, p.y(l.y) + 3]);
  for (const l of plumb) {
    taken.push([p.x(l.x) - 4, p.box.t, p.x(l.x) + 4, p.box.b]);
    const right = p.x(l.x) - p.box.l > width(l.text);
    out.push({ text: l.text, x: p.ax(l.x), y: 1, yref: "paper", xanchor: right ? "right" : "left", yanchor: "bottom", yshift: 2, showarrow: false, font: { color: "@ink2" } });
  }
  return [...out, ...place(wish.wanted, taken, p)];
}
