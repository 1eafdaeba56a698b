// What the pieces of the documents page share: the server's answers (`ui.documents.answers`) and the page itself.

import type { Themed, Theme, Turns, WeighedWord } from "./server.js";

export interface Topic {
  title: string;
  words: WeighedWord[];
  share: number;
  /** Of how many documents it is the main topic. */
  main_of: number;
}

export interface DocumentClass {
  name: string;
  documents: number;
  /** How many the method was told, and how many of the others it takes for this class. */
  told: number;
  taken: number;
  hand: boolean;
  /** How much of each topic there is in its documents. */
  profile: number[];
}

export interface MapOfDocuments {
  /** Where topics and documents lie, from 0 to 1000. */
  topics: [x: number, y: number][];
  x: number[];
  y: number[];
  rows: number[];
  /** The main topic and the class of each document, -1 for none. */
  topic: number[];
  class: number[];
}

/** The topics of a run as they are now. */
export interface Overview {
  seen: string;
  status: string;
  ended: boolean;
  /** The status in words. */
  state: string;
  badly: boolean;
  message: string;
  note: string;
  limit: number | null;
  iteration: number;
  topics: Topic[];
  beside: { view: string; topics: WeighedWord[][] } | null;
  classes: DocumentClass[];
  map: MapOfDocuments;
  documents: number;
  labelled: number;
  accuracy: number | null;
}

export interface ListedDocument {
  row: number;
  title: string;
  class: string;
  told: boolean;
  hand: boolean;
  main: string;
  share: number;
}

export interface Listing {
  total: number;
  start: number;
  documents: ListedDocument[];
}

export interface TextOfDocument {
  view: string;
  pieces: [text: string, weight: number][];
  cut: boolean;
  words: boolean;
}

export interface OpenDocument extends ListedDocument {
  topic: number | null;
  taken: string;
  mix: [topic: number, share: number][];
  texts: TextOfDocument[];
}

export interface WordAnswer {
  word: string;
  documents: number;
  topics: [topic: number, share: number][];
  near: string[];
}

export interface SearchAnswer {
  words: WordAnswer[];
  documents: ListedDocument[];
}

/** What was searched for, and what was answered. */
export type Search = SearchAnswer & { query: string };

/** What Python says of the page (`ui.documents.page`). */
export interface DocumentsData {
  run: string | null;
  title: string;
  colour: Themed;
  palette: Themed<string[]>;
  ground: string;
  view: string;
  beside: string | null;
  classes: string[];
  given: number;
  undo: boolean;
  problem: string;
  hint: string;
  /** The sliders its topics follow while they are moved, and what is said meanwhile. */
  turns: Turns;
  following: string;
}

export type Query = Record<string, string | number | null>;

/** What is picked: a topic, a class, and whether documents taken for the class are meant. */
export interface Picked {
  topic?: number | null;
  group?: number | null;
  taken?: boolean;
}

/** The page as its pieces see it. */
export interface DocumentsPage {
  readonly data: DocumentsData;
  readonly theme: Theme;
  readonly topic: number | null;
  readonly group: number | null;
  readonly taken: boolean;
  readonly now: Overview | null;
  readonly before: Overview | null;
  readonly tell: (name: string, value: unknown) => void;
  readonly shelf: {
    leaveSearch(): void;
    showFound(answer: Search): void;
    opened(row: number | null): void;
  };
  readonly reader: { readonly row: number | null };
  ask<Answer>(path: string, query?: Query): Promise<Answer | null>;
  pick(picked: Picked): void;
  open(row: number, options?: { scroll?: boolean }): void;
  colourOf(topic: number): string;
  titleOf(topic: number): string;
}
