// What the scripts of Bases share: what Python says of the page (`ui.bases.page`), and the server's answers
// (`ui.bases.answers`).

import type { Amount } from "./lines.js";
import type { Grid, Theme, Themed, Turns, WeighedWord } from "./server.js";

/** A method whose parts are shown. */
export interface BasisMethod {
  id: string;
  title: string;
  colour: Themed;
  run: string | null;
  /** Why there are no parts, and whether that is a fault of what was asked for. */
  refusal: string;
  wrong: boolean;
  /** The sliders its parts follow while they are moved. */
  turns: Turns;
}

/** Which sample is rebuilt, and which parts of each method are off. */
export interface Look {
  sample: number;
  off: Record<string, number[]>;
}

export interface BasesData {
  methods: BasisMethod[];
  /** Names the data; another one means other samples. */
  ground: string;
  /** Names the data and how many parts; another one means other parts. */
  basis: string;
  look: Look;
  /** What is said of a run that gets ready. */
  preparing: string;
  /** What is said while the parts follow a hand. */
  following: string;
  order: string;
  view: string | null;
  kind: "images" | "words";
  shape: [height: number, width: number] | null;
  samples: number;
}

/** The parts of a run, in the order that was asked for. */
export interface PartsHeader {
  parts: Grid;
  label: string;
  /** In words: its number, its share, its sparsity. */
  tips: string[];
  marks: (0 | 1)[];
  /** The parts as words, where they are not pictures. */
  words?: WeighedWord[][];
  /** Which part lies at each place. */
  numbers: number[];
  count: number;
  discriminative: number | null;
  mean: string;
  facts: string;
  /** Whether parts add up to samples, and if not why. */
  rebuilds: boolean;
  obstacle: string;
  /** Why there is nothing to show, and whether that is a fault. */
  none?: string;
  wrong?: boolean;
}

/** A sample rebuilt from all parts, and from those left on. */
export interface RebuiltHeader {
  name: string;
  words: string;
  left_error: number;
  lines?: [name: string, ...amounts: Amount[]][];
}

/** Who uses a part most. */
export interface UsersHeader {
  names: string[];
  /** Their places among the samples. */
  places: number[];
  classes: string;
  parts: Grid;
}

/** The page as a column sees it. */
export interface BasesPage {
  readonly base: string;
  readonly theme: Theme;
  readonly data: BasesData;
  readonly sample: number;
  choose(sample: number): void;
  name(text: string): void;
  remember(): void;
  tell(what: string): void;
}
