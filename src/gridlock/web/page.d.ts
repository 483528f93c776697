// What the page's modules hand to each other, for the type checker.

import type { Accepted, Board, MoveValue, Notice, Pong, Position, Presence, Refused, Said, State, Welcome, Why, You } from "./answers";

export type Cell = number;
export type Player = number;
export type Ability = You["may"][number];

/** The elements of the pages that are more than an HTMLElement, by id. */
export interface Elements {
  "carry-all": HTMLButtonElement;
  cols: HTMLInputElement;
  confirm: HTMLDialogElement;
  day: HTMLInputElement;
  export: HTMLButtonElement;
  game: HTMLSelectElement;
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
  "show-pairs": HTMLInputElement;
  "show-values": HTMLInputElement;
  start: HTMLButtonElement;
  "swap-rule": HTMLInputElement;
  "typed-move": HTMLInputElement;
}

export type ElementOf<Id extends string> = Id extends keyof Elements ? Elements[Id] : HTMLElement;

/** Attributes of an element; those that start with "on" are listeners. */
export type Attributes = Record<string, string | number | boolean | null | undefined | (() => unknown)>;

/** What an element may be given to hold; nothing is left out. */
export type Child = Node | string | null | undefined | false;

/** A board to be drawn, and what the page adds to it (see Board.show). */
export interface View {
  board: Board;
  mine: boolean;
  mark: string | null;
  pending: { cell: Cell; mark: string } | null;
  causes: Cell[];
  refused: Cell | null;
  values: Map<Cell, MoveValue>;
  better: Cell[];
  pairs: Cell[][];
  mirror: Cell[][];
  region: Cell[];
  hint: Cell | null;
  /** The mark that has won, once the game is over; whether that is the other's; whether the loser was stuck. */
  winner: string | null;
  isLost: boolean;
  isStuck: boolean;
}

/** Words below the board about a cell. */
export interface Note {
  words: string;
  causes: Cell[];
  cell: Cell | null;
  /** Whether it is there until somebody does something, whatever happens in the game. */
  stays?: boolean;
}

/** A game that this browser remembers. */
export interface Remembered {
  game: string;
  token: string;
  title: string;
  against: string;
  /** How it stands, in words; not there in what older pages have written, like what follows. */
  standing?: string;
  size?: string;
  over?: boolean;
  /** Whether it is the turn of whoever sits here. */
  mine?: boolean;
  /** The board as it was last seen. */
  board?: Pick<Board, "rows" | "cols" | "cells" | "last"> & { marks: string[] };
  /** When it was last seen, in milliseconds. */
  seen?: number;
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

/** Go to the position after so many moves. */
export type Go = (ply: number) => unknown;

/** A game and its moves; where a part is missing, the server takes the game's own. */
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

/** The game as the sender saw it. */
interface Now {
  ply: number;
  line: number;
}

/** What is done to a game. */
export type Action =
  | ({ type: "move"; cell: Cell } & Now)
  | ({ type: "swap" } & Now)
  | ({ type: "ask"; what: "takeback" | "rematch" } & Now)
  | ({ type: "answer"; accept: boolean } & Now)
  | { type: "resign" }
  | { type: "claim" };

/** What is asked over the WebSocket, and the direct answer to it. */
export type Question = Action | { type: "react"; what: Said["what"] } | { type: "why"; cell: Cell } | { type: "look"; ply: number };
export type AnswerTo<Asked> = Asked extends { type: "why" }
  ? Why
  : Asked extends { type: "look" }
    ? Position
    : Accepted | Refused;
