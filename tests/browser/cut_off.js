// What of a page is cut off: controls whose edge is out of the window and cannot be scrolled into it, and texts that
// end at an edge without a sign.
() => {
  const scrolls = e => ["auto", "scroll"].includes(getComputedStyle(e).overflowX);
  const kept = e => { for (let p = e.parentElement; p; p = p.parentElement) if (scrolls(p)) return true; return false; };
  const shown = e => e.checkVisibility() && e.getClientRects().length && !e.closest(".vh, .skip, .js-plotly-plot");
  const out = e => { const box = e.getBoundingClientRect(); return box.left < -1 || box.right > innerWidth + 1; };
  const silent = style => ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis";
  const clipped = e => e.scrollWidth > e.clientWidth + 1 && silent(getComputedStyle(e));
  const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")];
  const texts = [...document.querySelectorAll("main *:not(svg, svg *, input, select, option, textarea)")];
  const cut = [...controls.filter(e => shown(e) && out(e) && !kept(e)), ...texts.filter(e => shown(e) && clipped(e))];
  return cut.map(e => e.outerHTML.slice(0, 120));
}
