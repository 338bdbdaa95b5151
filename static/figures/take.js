// A figure to take along: a picture that is always light, with its title and source line, or its data as CSV.
import { frame } from "./frame.js";
import { labels } from "./labels.js";
import { paint } from "./paint.js";

const glyph = { measured: "●", simulated: "◇", cited: "■", assumed: "□", illustrative: "△" };
const inert = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const SIZE = { width: 960, height: 560 };

// `fitted` is the figure's layout with margins; labels are placed anew, since the picture has a size of its own.
export function picture(el, fitted, format) {
  const f = el.figure, m = frame(fitted).margin, left = Math.max(60, m.l);
  const source = inert(f.sources.map(s => s.origin ? `${glyph[s.origin]} ${s.origin}, ${s.text}` : s.text).join(" "));
  const lines = source.replace(/\s+/g, " ").replace(/(.{1,140})(\s|$)/g, "$1<br>");
  const note = (text, y, yshift, size, color) => ({ text, xref: "paper", yref: "paper", x: 0, y, xanchor: "left", yanchor: y ? "bottom" : "top", xshift: 12 - left, yshift, align: "left", showarrow: false, font: { size, color } });
  const whole = frame({ ...fitted, margin: { ...m, l: left, r: Math.max(24, m.r), t: 80, b: 104 } });
  whole.paper_bgcolor = "@paper";
  whole.annotations = [...(f.layout.annotations || []), ...labels(f.labels, { clientWidth: SIZE.width, clientHeight: SIZE.height }, whole),
    note(`<b>${inert(el.querySelector("h2").textContent)}</b>`, 1, 38, 15, "@ink"), note(lines, 0, -50, 11, "@ink2")];
  return Plotly.toImage({ data: paint(f.data, "light"), layout: paint(whole, "light") }, { format, ...SIZE, scale: format === "png" ? 2 : 1 });
}
export function save(url, name) { const a = document.createElement("a"); a.href = url; a.download = name; a.click(); }

const safe = v => /^[=+@\t\r]|^-(?!\d)/.test(v) ? `'${v}` : v;      // formula-like cells are made harmless
const cell = v => `"${safe(String(v)).replace(/"/g, '""')}"`;
export const csv = f => "\uFEFF" + [f.head, ...f.rows].map(row => row.map(cell).join(",")).join("\r\n");
