// What a live view is made of, before anything is in it.

export const LAYOUT = `
  <div class="view">
    <div class="line"><span class="name"></span><span class="facts quiet"></span><span class="state" role="status"></span>
      <span class="warning"></span><button type="button" class="hold" hidden>Pause</button></div>
    <div class="stage">
      <canvas class="parts-canvas" role="img" aria-label="Parts" tabindex="0" width="10" height="8"></canvas>
      <div class="cards" hidden></div>
      <div class="slowed" hidden><span></span> <button type="button">Full speed</button></div>
      <div class="tip part-tip" hidden></div>
      <div class="part-menu" role="group" hidden></div>
      <div class="invitation" hidden><span></span></div>
      <div class="caption"></div>
    </div>
    <div class="side">
      <canvas class="chart" role="img" aria-label="Objective against iterations"></canvas>
      <p class="promise quiet" data-promise="objective"></p>
      <div class="legend"></div>
      <div class="switches">
        <button type="button" data-switch="logY">log objective</button>
        <button type="button" data-switch="logX">log axis</button>
        <button type="button" data-switch="bySeconds">by seconds</button>
        <button type="button" data-zoom="in" title="Dragging across the curve does the same">zoom in</button>
        <button type="button" data-zoom="out" hidden>whole run</button>
      </div>
    </div>
    <div class="samples">
      <div class="plane">
        <canvas class="cloud" role="img" aria-label="Samples as points" tabindex="0"></canvas>
        <p class="promise quiet" data-promise="embedding"></p>
        <div class="tip" hidden></div>
      </div>
      <div class="sample">
        <canvas role="img" aria-label="One sample"></canvas>
        <p class="promise quiet" data-promise="components"></p>
        <div class="features" hidden></div>
        <span class="who quiet"></span>
      </div>
    </div>
    <div class="timeline">
      <button type="button" aria-pressed="false">Replay</button>
      <input type="range" min="0" max="0" step="1" value="0" aria-label="Go back to an earlier iteration">
      <output></output>
      <button type="button" aria-pressed="true">Live</button>
    </div>
    <div class="explained quiet"></div>
    <div class="strip-place"></div>
  </div>`;
