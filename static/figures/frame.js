// The ground of every figure: the type of the page, no background, fixed on narrow screens so that the page can be scrolled.
export const printing = () => document.documentElement.classList.contains("printing");
export const narrow = () => innerWidth < 860 && !printing();
const type = () => printing() ? 10 : 12;

export function frame(layout) {
  const still = narrow() ? { fixedrange: true } : {};
  const titled = a => ({ ...a, ...still, title: { ...a?.title, font: { ...a?.title?.font, size: type() } } });
  const font = { family: getComputedStyle(document.body).fontFamily, size: type(), color: "@ink" };
  return { showlegend: false, hovermode: "closest", uirevision: "keep", ...layout, font, dragmode: narrow() ? false : "zoom",
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    hoverlabel: { bgcolor: "@paper", bordercolor: "@edge", font, align: "left" },
    xaxis: titled(layout.xaxis), yaxis: titled(layout.yaxis),
    margin: { l: 48, r: 16, t: 32, b: 48, ...layout.margin } };
}
