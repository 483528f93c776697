// Types shared by the page's modules, for the type checker.

import type { Accepted, Board, MoveValue, Notice, Pong, Position, Presence, Refused, Said, State, Welcome, Why, You } from "./answers";

export type Cell = number;
export type Player = number;
export type Ability = You["may"][number];

/** The elements whose type is more specific than HTMLElement, keyed by id. */
export interface Elements {
  "carry-all": HTMLButtonElement;
  cols: HTMLInputElement;
  confirm: HTMLDialogElement;
  download: HTMLButtonElement;
  edit: HTMLButtonElement;
  export: HTMLButtonElement;
  game: HTMLSelectElement;
  kind: HTMLSelectElement;
  help: HTMLDialogElement;
  import: HTMLInputElement;
  increment: HTMLInputElement;
  "level-1": HTMLSelectElement;
  "level-2": HTMLSelectElement;
  minutes: HTMLInputElement;
  "join-button": HTMLButtonElement;
  "join-name": HTMLInputElement;
  name: HTMLInputElement;
  "new-game": HTMLFormElement;
  "other-name": HTMLInputElement;
  pasted: HTMLTextAreaElement;
  public: HTMLInputElement;
  rows: HTMLInputElement;
  sharing: HTMLDialogElement;
  "show-pairs": HTMLInputElement;
  start: HTMLButtonElement;
  "swap-rule": HTMLInputElement;
  "typed-move": HTMLInputElement;
}

export type ElementOf<Id extends string> = Id extends keyof Elements ? Elements[Id] : HTMLElement;

/** An element's attributes; attributes whose names start with "on" are listeners. */
export type Attributes = Record<string, string | number | boolean | null | undefined | (() => unknown)>;

/** A child of an element; null, undefined and false are skipped. */
export type Child = Node | string | null | undefined | false;

/** A board to draw, with everything that the page adds to it (see Board.show). */
export interface View {
  board: Board;
  mine: boolean;
  mark: string | null;
  pending: { cell: Cell; mark: string } | null;
  causes: Cell[];
  refused: Cell | null;
  values: Map<Cell, MoveValue>;
  line: Map<Cell, LineStep>;
  better: Cell[];
  pairs: Cell[][];
  mirror: Cell[][];
  region: Cell[];
  areas: Map<Cell, Area>;
  hint: Cell | null;
  note: { words: string } | null;
  /** The setting for confirming moves with a second tap: "always", "never", or "" for small cells only. */
  confirm: () => string;
  /** The winner's mark once the game is over. */
  winner: string | null;
  /** Whether the user has lost. */
  isLost: boolean;
  /** Whether the loser had no move left. */
  isStuck: boolean;
}

/** A region-map cell, which shows either a part of a region or the owner of a free move. */
export interface Area {
  letter: string;
  /** The region's heat, from 0 to 3; null if the heat is unknown. */
  heat: number | null;
  /** The sides of the cell that lie on its region's outline: "ns" means the north and south sides. */
  edges: string;
  isBest: boolean;
  free: string | null;
}

/** A move in the best line: the mark of the player who makes it, and its number, counting from 1. */
export interface LineStep {
  mark: string;
  number: number;
}

/** A note shown on the board; it may refer to a cell. */
export interface Note {
  words: string;
  causes: Cell[];
  cell: Cell | null;
  /** Whether the note stays until the user's next action, even if the game continues. */
  stays?: boolean;
}

/** A game that this browser remembers. */
export interface Remembered {
  game: string;
  token: string;
  title: string;
  against: string;
  /** The game's status in words. Entries from older versions lack this field and all the fields below it. */
  standing?: string;
  size?: string;
  over?: boolean;
  /** Whether it is the user's turn. */
  mine?: boolean;
  /** Whether the game came from a link or a file and has not yet been opened in this browser. */
  imported?: boolean;
  /** The board as this browser last saw it. */
  board?: Pick<Board, "rows" | "cols" | "cells" | "last"> & { marks: string[] };
  /** The time when this browser last saw the game, in milliseconds since 1970. */
  seen?: number;
}

/** One of the user's own games, with its default board and a one-sentence summary of its rules. */
export interface OwnGame {
  name: string;
  title: string;
  board: string;
  adjacency: string;
  /** The game's definition, which the server receives as part of a setup. */
  definition: Record<string, unknown>;
  summary: string;
  /** The URL path of a picture of the game's board. */
  picture: string;
}

export interface Listeners {
  welcome(message: Welcome): void;
  state(message: State): void;
  connected(yes: boolean): void;
  closed(words: string): void;
  presence(message: Presence): void;
  reaction(message: Said): void;
  notice(message: Notice): void;
}

/** Go to the position at a given ply. */
export type Go = (ply: number) => unknown;

/** A game's settings and moves; if an optional field is missing, the game's default applies. */
export interface Setup {
  game: string;
  definition?: Record<string, unknown>;
  position?: string;
  board?: string;
  adjacency?: string;
  starts: Player;
  swap: boolean;
  moves: string[];
}

export type FromServer = Accepted | Notice | Pong | Position | Presence | Refused | Said | State | Welcome | Why;

/** The latest point in the game that the sender has seen. */
interface Now {
  ply: number;
  line: number;
}

/** An action in a game. */
export type Action =
  | ({ type: "move"; cell: Cell } & Now)
  | ({ type: "swap" } & Now)
  | ({ type: "ask"; what: "takeback" | "rematch" } & Now)
  | ({ type: "answer"; accept: boolean } & Now)
  | { type: "resign" }
  | { type: "claim" };

/** A request sent over the WebSocket; AnswerTo gives the type of its answer. */
export type Question = Action | { type: "react"; what: Said["what"] } | { type: "why"; cell: Cell } | { type: "look"; ply: number };
export type AnswerTo<Asked> = Asked extends { type: "why" }
  ? Why
  : Asked extends { type: "look" }
    ? Position
    : Accepted | Refused;

/** A message to the browser's engine. A message of type `ask` has the same path and body as a request to the server. */
export type ToEngine =
  | { type: "start"; base: string }
  | { type: "kept"; entries: Record<string, string> }
  | { type: "ask"; id: number; method: "GET" | "POST"; path: string; body?: object; token?: string }
  | { type: "cancel"; id: number }
  | { type: "open"; id: number; hello: object }
  | { type: "send"; id: number; message: object }
  | { type: "shut"; id: number };

/** A message from the engine in the browser. */
export type FromEngine =
  | { type: "progress"; done: number; of: number }
  | { type: "ready"; seconds: number; isRestored: boolean }
  | { type: "failed"; words: string }
  | { type: "begun"; id: number }
  | { type: "answer"; id: number; status: number; kind: string; body: string | Uint8Array }
  | { type: "message"; id: number; message: object }
  | { type: "closed"; id: number; code: number; reason: string }
  | { type: "keep"; key: string; value: string | null };

/** The part of the WebSocket interface that a connection uses; the engine's connections have the same methods. */
export interface Socket {
  onopen: (() => unknown) | null;
  onmessage: ((event: { data: string }) => unknown) | null;
  onclose: ((event: { code: number; reason: string }) => unknown) | null;
  readyState: number;
  send(text: string): void;
  close(): void;
}

/** How far the engine has loaded, as shown on the page. */
export type EngineUpdate = { type: "loading" } | Extract<FromEngine, { type: "progress" | "ready" | "failed" }>;
