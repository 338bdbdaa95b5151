// Figures of a page: each [data-figure] holds its JSON; drawn again when theme, width or paper change.
import { frame, narrow, printing } from "./frame.js";
import { labels, room } from "./labels.js";
import { paint } from "./paint.js";
import { csv, picture, save } from "./take.js";

const quiet = { displayModeBar: false, responsive: true, doubleClick: "reset" };

function read(el) {
  el.figure ??= JSON.parse(el.querySelector("script[type='application/json']")?.textContent || "null");
  return el.figure;
}
// Margins that depend on the width of words are asked for by name: labels.left and labels.right list the words.
function fitted(figure) {
  const m = { ...figure.layout.margin }, wish = figure.labels;
  if (wish.left) m.l = room(wish.left, 20);
  if (wish.right) m.r = room(wish.right, 10);
  return { ...figure.layout, margin: m };
}
function composed(el) {
  const figure = read(el), layout = frame(fitted(figure)), plot = el.querySelector(".plot");
  layout.annotations = [...(figure.layout.annotations || []), ...labels(figure.labels, plot, layout)];
  if (narrow() && layout.xaxis.tickvals?.length > 5) layout.xaxis = { ...layout.xaxis, tickvals: layout.xaxis.tickvals.filter((_, i) => i % 2 === 0), ticktext: layout.xaxis.ticktext?.filter((_, i) => i % 2 === 0) };
  return layout;
}
function draw(el) {
  const plot = el.querySelector(".plot"), figure = read(el);
  if (!figure || !plot) return;
  const size = printing() ? { autosize: false, width: plot.clientWidth, height: plot.clientHeight } : { autosize: true, width: undefined, height: undefined };
  Plotly.react(plot, paint(figure.data), paint({ ...composed(el), ...size }), quiet);
  plot.querySelectorAll("svg").forEach(s => s.setAttribute("aria-hidden", "true"));
}
const all = () => [...document.querySelectorAll("[data-figure]")];
const redraw = () => all().forEach(draw);

const tools = {
  table(button, el) { const t = el.querySelector(".data"); t.hidden = !t.hidden; button.setAttribute("aria-expanded", !t.hidden); },
  async png(button, el) { save(await picture(el, fitted(read(el)), "png"), `${el.dataset.figure}.png`); },
  async svg(button, el) { save(await picture(el, fitted(read(el)), "svg"), `${el.dataset.figure}.svg`); },
  csv(button, el) { save(URL.createObjectURL(new Blob([csv(read(el))], { type: "text/csv" })), `${el.dataset.figure}.csv`); },
};
document.addEventListener("click", event => {
  const button = event.target.closest("[data-tool]");
  if (button) tools[button.dataset.tool](button, button.closest("[data-figure]"));
});

redraw();
document.addEventListener("theme", redraw);
document.addEventListener("htmx:afterSettle", () => all().filter(el => !el.querySelector(".js-plotly-plot")).forEach(draw));
let known = innerWidth, wait;
addEventListener("resize", () => { if (innerWidth !== known) { known = innerWidth; clearTimeout(wait); wait = setTimeout(redraw, 150); } });
// Print is light and as wide as the page: figures do not follow the stylesheet by themselves, so they are drawn anew.
addEventListener("beforeprint", () => { document.documentElement.classList.add("printing"); redraw(); });
addEventListener("afterprint", () => { document.documentElement.classList.remove("printing"); redraw(); });
