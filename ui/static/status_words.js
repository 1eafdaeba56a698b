// How a run is doing, or how it has ended, in words.

const WORDS = {
  preparing: "getting ready …", done: "settled", max_iter: "all iterations made", diverged: "diverged",
  stopped: "stopped", failed: "could not run", interrupted: "interrupted",
};

export function inWords({ status, before, closed }, waits = "it") {
  if (status === "waiting") return before ? `waiting, ${before} before ${waits}` : "waiting, next in turn";
  // A method in closed form has not settled.
  return status === "done" && closed ? "solved" : WORDS[status] ?? status;
}

// What can be done with a run, as `Handle.phase` says it on the server.
export function phaseOf({ status, ended }) {
  return ended ? "ended" : status === "paused" ? "paused" : "running";
}
