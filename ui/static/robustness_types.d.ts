// What Python says of the occlusion and noise pages (`ui.robustness.spoiling`), and the server's answers
// (`ui.robustness.answers`, `ui.robustness.surveys`).

import type { Point } from "./accuracy.js";
import type { Grid } from "./server.js";
import type { StripHeader } from "./strip_sum.js";
import type { FittedRun, Verdict } from "./verdicts.js";

export interface RobustnessData {
  runs: FittedRun[];
  shape: [height: number, width: number];
  /** How many faces there are to choose from. */
  count: number;
  /** The largest amount of what spoils a face. */
  most: number;
  noise: boolean;
  /** What the amounts are, with their unit. */
  axis: string;
  /** Whether what lies on the face is an object, and not cut off when it gets smaller. */
  whole: boolean;
  kind: string;
  metric: string;
  how: string;
  tested: "held" | "seen" | "covered";
  place: { face: number; left: number; top: number; amount: number };
  /** Names data and split; elsewhere the face and the place in hand mean nothing. */
  ground: string;
  /** What is said of a run that gets ready. */
  preparing: string;
  own: { pixels: string } | null;
  /** What one picture is called, and what a class is. */
  what: string;
  unit: string;
}

/** The face that was asked about, and what each method says of it. */
export interface SpoiltHeader {
  number: number;
  face: number;
  row: number;
  name: string;
  entries: Verdict[];
  /** The face as the sum of parts of the method asked for; null where there is none. */
  strip: StripHeader | null;
  parts: Grid;
}

/** What is known of one method, or why there is nothing. */
interface Known {
  id: string;
  complete: boolean;
  message?: string;
}

export interface CurvesAnswer {
  curves: (Known & { points: Point[]; largest?: number; whole?: number; amounts?: number })[];
  complete: boolean;
}

export interface PlacesAnswer {
  maps: (Known & { shares: (number | null)[]; tops?: number[]; lefts?: number[] })[];
  size: number;
  complete: boolean;
}
