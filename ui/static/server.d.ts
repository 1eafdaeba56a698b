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
  /** Where the pictures lie; nothing is said of pictures that are not there. */
  parts: Grid;
  sample: Grid;
  /** How many of the parts must tell classes apart. */
  discriminative: number | null;
  features: Feature[];
  bent: boolean;
  /** Of each part its share of all that is rebuilt in percent, and its sparsity. */
  tips?: [share: number, sparsity: number][];
  /** What light and dark in the parts mean, where they are pictures. */
  key?: string;
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
  /** The run whose sliders this fit follows while they are moved, null for a run itself. */
  preview_of: string | null;
  /** How many moves it has followed. */
  turned: number;
  status: string;
  /** What can be done with it: "running", "paused", "ended" (`Handle.phase`). */
  phase: string;
  /** The status in words. */
  state: string;
  flags: string[];
  /** Why it does not follow a hand, if it does not. */
  problem: string;
  iteration: number;
  limit: number | null;
  closed: boolean;
  terms: Term[];
  /** The iterations that were kept. */
  snapshots: number[];
  ended: boolean;
  elapsed: number | null;
}

/** A block of bytes, read (`blocks.js`). */
export interface Frame<Header> {
  header: Header;
  points: Float32Array<ArrayBuffer>;
  cloud: Uint16Array<ArrayBuffer>;
  parts: Uint8Array<ArrayBuffer>;
  sample: Uint8Array<ArrayBuffer>;
}

/** A block that is a sheet of pictures, and what is said of it. */
export type SheetOf<Header> = Pick<Frame<Header>, "header" | "parts">;

/** What Python says of a run to watch (`ui.live.live_view`). */
export interface LiveData {
  run: string | null;
  title: string;
  colour: Themed;
  /** For which phase the buttons of the page were drawn. */
  phase: string | null;
  form: "full" | "parts";
  /** Where there is a picture of the samples. */
  poster: string | null;
  invitation: string;
  /** What is said of the parts; {} stands for their number. */
  caption: string;
  /** In which view of the data parts are shown. */
  view: string | null;
  /** The run that this one goes on from. */
  follows: string | null;
  palette: Themed<string[]>;
  plane: string;
  explained: string;
  /** What will be seen where, before there is anything to see. */
  promises: Record<string, string>;
  /** What the parts that tell classes apart are for, and the others. */
  part_kinds: [string, string];
  /** Whether the picture can be held while the run goes on. */
  hold: boolean;
  /** What is said of a run that is slowed down to be seen, {} for its milliseconds; empty where none is to be. */
  slowed: string;
  /** Whether parts take as much room as the curve and the samples below each other. */
  tall: boolean;
  /** Which buttons take the keyboard over, by the words on the one that had it. */
  takes_over: Record<string, string[]>;
  /** What the names of the sliders begin with that the parts follow while they are moved; empty for none. */
  turned_by: string;
  /** Whether the page is shown to a room. */
  presenting: boolean;
  /** How many of the first parts stay as they are, and the words for what can be done to one; null if nothing can. */
  edits: { kept: number; words: Record<"hint" | "part" | "keep" | "free" | "erase", string> } | null;
}

/** What Python says of the slider of a parameter (`ui.param_slider`). */
export interface SliderData {
  of: string;
  param: string;
  label: string;
  meaning: string;
  value: number;
  /** The automatic value it would begin with. */
  start: number;
  low: number;
  high: number;
  log: boolean;
  /** Whether 0 lies before a log scale, switching a term off. */
  zero: boolean;
  whole: boolean;
  /** The value of the paper. */
  mark: number | null;
  /** The number of the last move that the page has heard of. */
  heard: number;
  words: Record<"about" | "typed" | "off" | "marked" | "refused" | "refused_but_off", string>;
}

/** What a slider sets beside or instead of its own parameter: so much less, and no more than so many. */
export type Along = Record<string, Record<string, { less: number; most: number | null }>>;

/** Which sliders a run follows while they are held (`ui.param_slider`). */
export interface Turns {
  /** What they belong to. */
  of: string[];
  along: Along;
}

/** What Python says of a map of samples (`ui.map_view`). */
export interface MapHeader {
  label: string;
  /** The names of the classes. */
  names: string[];
  legend: boolean;
  tips: string[];
  height: number;
  /** The occasion of choosing, null where nothing can be chosen. */
  choice: string | null;
  palette: Themed<string[]>;
  film: { captions: string[]; group: string } | null;
}

export interface MapBlock {
  header: MapHeader;
  /** Pairs around zero, upwards. */
  places: Float32Array;
  codes: Int32Array;
  pairs: Int32Array;
  weights: Float32Array;
  marks: Uint8Array;
  hints: Uint8Array;
  crossing: Uint8Array;
  film_codes?: Int32Array;
  film_strengths?: Uint8Array;
}
