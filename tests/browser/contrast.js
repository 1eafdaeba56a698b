// Returns for each piece of text outside of disabled controls how its colour contrasts with what lies behind it;
// nothing while Streamlit dims what a running script has not reached yet.
() => {
  if (document.querySelector("[data-stale=true]")) return null;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const g = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    g.clearRect(0, 0, 1, 1);
    g.fillStyle = colour;
    g.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = g.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((value, i) => value * a + below[i] * (1 - a));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const upwards = (element) => {
    const chain = [];
    for (let node = element; node; node = node.parentElement ?? node.getRootNode().host) chain.push(node);
    return chain;
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const words = texts.currentNode.textContent.trim(), element = texts.currentNode.parentElement;
    const style = getComputedStyle(element);
    if (!words || style.visibility === "hidden" || !element.getClientRects().length) continue;
    if (element.closest("[disabled], [data-disabled], .katex-mathml, .js-plotly-plot, style, script")) continue;
    const chain = upwards(element);
    // The value of a slider stands above its knob, not on it.
    const value = element.closest("[data-testid=stSliderThumbValue]");
    const behind = chain.slice(value ? chain.indexOf(value.parentElement) + 1 : 0).reverse()
      .reduce((below, node) => over(rgba(getComputedStyle(node).backgroundColor), below), [255, 255, 255]);
    const [red, green, blue, alpha] = rgba(style.color);
    const opacity = chain.reduce((product, node) => product * getComputedStyle(node).opacity, alpha);
    if (!opacity) continue;
    const [low, high] = [luminance(over([red, green, blue, opacity], behind)), luminance(behind)].sort((a, b) => a - b);
    found.push({
      words: words.slice(0, 40), colour: style.color, ratio: (high + 0.05) / (low + 0.05),
      selected: Boolean(element.closest("[data-selected]")),
    });
  }
  return found;
}
