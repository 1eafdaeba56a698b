// What Python says to the Tune page, by shape (`ui.tune.answers`, `ui.tune.page`).

import type { Grid, Themed, WeighedWord } from "./server.js";

/** A parameter that is tried out. Values of a choice are places in `texts`. */
export interface TuneAxis {
  name: string;
  symbol: string;
  label: string;
  log: boolean;
  /** What a grid tries, upwards; the ends of the range where trials are drawn freely. */
  values: number[];
  texts: string[] | null;
  /** The value of the paper, if it gives one. */
  paper: number | null;
}

export type Unit = "share" | "seconds" | "iterations" | "";

export interface TuneMeasure {
  name: string;
  title: string;
  unit: Unit;
  better: "high" | "low";
}

/** Of which sweep the page tells, and how. */
export interface TuneData {
  key: string | null;
  running: boolean;
  axes: TuneAxis[];
  measures: TuneMeasure[];
  gridded: boolean;
  title: string;
  colour: Themed;
  /** What there is to open a trial on, by page. */
  opens: Record<string, string>;
  invitation: string;
  /** What the marked values are: the paper's, or the usual ones. */
  marked: string;
}

/** Where a sweep stands: a column an entry, a row a cell. */
export interface TuneAnswer {
  version: string;
  /** Nothing else is said then. */
  same?: true;
  known: number;
  whole: number;
  running: boolean;
  progress: string;
  params: Record<string, number[]>;
  means: Record<string, (number | null)[]>;
  spreads: Record<string, (number | null)[]>;
  /** How many splits of each cell are done. */
  counts: number[];
  /** The version of the picture of each cell, 0 where there is none. */
  pictured: number[];
  splits: number;
  problems: Record<string, string>;
  /** Bits: 1 depends on the way, 2 also fitted from the beginning, 4 provisional. */
  marks: number[];
  /** Cells that are not worse than the best beyond chance, by measure. */
  ties: Record<string, number[]>;
  best: Record<string, number | null>;
  seconds: number[];
  iterations: number[];
  /** What is to be said of it, by measure. */
  sentences: Record<string, string[]>;
}

/** Parts and curves of some cells (`ui.tune.pictures`): for each, what its picture and its curve are called. */
export interface TunePictures {
  header: { cells: TuneCell[]; [picture: string]: unknown };
  [block: string]: unknown;
}

export interface TuneCell {
  cell: number;
  /** The block that holds its picture (the header says under its name where the tiles are); empty for words. */
  picture: string;
  curve: string;
  words: WeighedWord[][];
  label: string;
  /** The share of other starts that each part comes back in, that in words, and of the pairs of samples; if known. */
  recurring?: number[];
  said?: string;
  pairs?: string;
}

/** A column of the view of all trials. */
export interface TrialColumn {
  name: string;
  title: string;
  values: Float64Array;
  log: boolean;
  unit: Unit;
  better: "high" | "low" | null;
  texts: string[] | null;
}
