// What is wrong with where the focus is: no ring, out of the window, or wholly under something else. Empty: nothing.
() => {
  const e = document.activeElement, name = e.outerHTML.slice(0, 120);
  if (e === document.body || e === document.documentElement) return "";
  const style = getComputedStyle(e), box = e.getBoundingClientRect();
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 1) return `no ring: ${name}`;
  const left = Math.max(box.left, 0), width = Math.min(box.right, innerWidth) - left;
  const top = Math.max(box.top, 0), height = Math.min(box.bottom, innerHeight) - top;
  if (width < 4 || height < 4) return `out of sight: ${name}`;
  const mine = at => at && (e.contains(at) || at.contains(e));
  const hit = (x, y) => mine(document.elementFromPoint(left + x * width, top + y * height));
  return [.1, .5, .9].some(x => [.2, .5, .8].some(y => hit(x, y))) ? "" : `covered: ${name}`;
}
