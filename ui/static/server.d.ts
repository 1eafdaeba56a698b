// What the server sends to the scripts, by shape. The Python that makes each is named with it.

/** A sheet of equal pictures, row by row (`ui.pictures.Sheet.grid`). */
export interface Grid {
  columns: number;
  count: number;
  /** Height and width of one picture. */
  tile: [number, number];
  gap: number;
  /** Width and height of the whole. */
  size: [number, number];
}

/** The picture of a frame; where there is none, it has no bytes and no grid. */
export interface Picture extends Grid {
  bytes: number;
}

/** A term of an objective (`ui.palette.terms`). */
export interface Term {
  title: string;
  light: string;
  dark: string;
}

/** One colour a theme. */
export interface Themed<T = string> {
  light: T;
  dark: T;
}

export type Theme = "light" | "dark";

/** A word of a topic and its weight. */
export type WeighedWord = [word: string, weight: number];

/** Who the samples of a run are (`ui.live.cloud`): an entry a sample that was drawn. */
export interface Cast {
  /** Places among the training samples. */
  places: number[];
  /** Class codes, -1 where the class is unknown. */
  codes: number[];
  labelled: (0 | 1)[];
  names: (string | null)[];
  classes: string[];
  /** What a class is called: "digit", "person". */
  unit: string | null;
}

/** A feature of a sample: its name, its value, and what the parts add up to. */
export type Feature = [name: string, value: number, rebuilt: number];

/** Pictures of a run, at one of its iterations (`ui.live.frames`). */
export interface PicturesHeader {
  /** The iteration that is drawn, -1 if there is nothing to draw yet. */
  shown: number;
  scores: { accuracy_euclidean?: number; [name: string]: number | undefined };
  points: [rows: number, columns: number];
  /** How many samples are drawn as points. */
  cloud: number;
  parts: Picture;
  sample: Picture;
  /** How many of the parts must tell classes apart. */
  discriminative: number | null;
  features: Feature[];
  bent: boolean;
  /** Of each part its share of all that is rebuilt in percent, and its sparsity. */
  tips?: [share: number, sparsity: number][];
  /** How much each view counts. */
  weights?: [view: string, weight: number][];
  /** The parts as words. */
  words?: WeighedWord[][];
  /** How many parts there are when not all are shown. */
  topics?: number;
}

/** How a run is doing, and its pictures (`ui.live.frames.frame`). */
export interface RunHeader extends PicturesHeader {
  id: string;
  status: string;
  /** How many wait before it. */
  before: number;
  flags: string[];
  iteration: number;
  limit: number | null;
  closed: boolean;
  terms: Term[];
  /** The iterations that were kept. */
  snapshots: number[];
  ended: boolean;
  elapsed: number | null;
}

/** A block of bytes, read. */
export interface Frame<Header> {
  header: Header;
  points: Float32Array<ArrayBuffer>;
  cloud: Uint16Array<ArrayBuffer>;
  parts: Uint8Array<ArrayBuffer>;
  sample: Uint8Array<ArrayBuffer>;
}
