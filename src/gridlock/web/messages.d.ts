// What the server and its pages say to each other, for the type checker (see docs/protocol.md). A test compares it with
// the server's own description.

export type Player = number;
export type Cell = number;
export type Verdict = "win" | "loss" | "unknown";

export interface Game {
  name: string;
  title: string;
  summary: string;
  rules: string;
  board: string;
  adjacency: string;
  origin: number;
  smallest: number;
  marks: string[];
  players: string[];
}

export interface Catalogue {
  games: Game[];
  first: string;
  adjacencies: string[];
  levels: string[];
  limits: { side: number; name: number; message: number; body: number };
}

export interface Created {
  id: string;
  token: string;
  watch: string;
  invitation: string | null;
}

export interface Seat {
  id: string;
  seat: Player;
  token: string;
  watch: string;
}

/** A game as data, for a server that does not know it. */
export interface Definition {
  title: string;
  rules: string;
  [setting: string]: unknown;
}

/** A game and its moves; where a part is missing, the server takes the game's own. */
export interface Setup {
  game: string;
  definition?: Definition;
  position?: string;
  board?: string;
  adjacency?: string;
  starts: Player;
  swap: boolean;
  moves: string[];
}

export interface BoardView {
  title: string;
  rows: number;
  cols: number;
  adjacency: string;
  origin: number;
  marks: string[];
  cells: string;
  trails: Cell[][];
  legal: Cell[];
  last: Cell | null;
  causes: Cell[];
}

export interface HistoryEntry {
  kind: "move" | "swap" | "pass";
  ply: number;
  player: Player;
  mark: string;
  cell: Cell | null;
  text: string | null;
  words: string;
}

export interface Outcome {
  winner: Player;
  loser: Player;
  termination: string;
  words: string;
}

export interface Pass {
  player: Player;
  mark: string;
  words: string;
}

export interface PlayerView {
  player: Player;
  name: string;
  mark: string;
  kind: string;
  joined: boolean;
}

export interface Offer {
  what: "takeback" | "rematch";
  player: Player;
  words: string;
}

/** What a state and a position have in common. */
interface OnBoard {
  ply: number;
  setup: Setup;
  board: BoardView;
  to_move: Player | null;
  words: string;
  pass: Pass | null;
  moves: HistoryEntry[];
  outcome: Outcome | null;
}

export interface Position extends OnBoard {
  type: "position";
  re?: number;
  mark: string | null;
  can_swap: boolean;
}

export interface State extends OnBoard {
  type: "state";
  game: string;
  sequence: number;
  line: number;
  opponent: string;
  players: PlayerView[];
  thinking: boolean;
  offer: Offer | null;
  round: number;
  score: number[];
  rematch: string | null;
  you: { role: "player" | "invited" | "watching"; seats: Player[]; may: string[] };
}

export interface Welcome {
  type: "welcome";
  re?: number;
  game: string;
  role: string;
  seats: Player[];
  watch: string | null;
  invitation: string | null;
}

export interface Accepted {
  type: "accepted";
  re?: number;
  ply: number;
  line: number;
}

export interface Refused {
  type: "refused";
  re?: number;
  reason: string;
  words: string;
  causes: Cell[];
}

export interface Why {
  type: "why";
  re?: number;
  cell: Cell;
  legal: boolean;
  reason: string | null;
  words: string;
  causes: Cell[];
}

export interface Pong {
  type: "pong";
  re?: number;
}

export type FromServer = Welcome | State | Accepted | Refused | Position | Why | Pong;

/** What is done to the game as the sender saw it. */
interface Now {
  ply: number;
  line: number;
}

export type Action =
  | ({ type: "move"; cell: Cell } & Now)
  | ({ type: "swap" } & Now)
  | ({ type: "ask"; what: "takeback" | "rematch" } & Now)
  | ({ type: "answer"; accept: boolean } & Now)
  | { type: "resign" };

export interface MoveValue {
  cell: Cell;
  verdict: Verdict;
  distance: number | null;
}

export interface Findings {
  verdict: Verdict;
  words: string;
  explanation: string;
  method: string;
  winning: Cell[];
  moves: MoveValue[];
  distance: number | null;
  swap: Verdict | null;
  swap_words: string;
  countable: boolean;
  pairing: Cell[][];
  line: Cell[];
  positions: number;
  seconds: number;
}

export interface Analysis {
  position: Position;
  analysis: Findings;
}

export interface ReviewStep {
  ply: number;
  kind: "move" | "swap" | "resign";
  player: Player;
  mark: string;
  who: string;
  cell: Cell | null;
  text: string;
  before: Player | null;
  after: Player | null;
  mistake: boolean;
  better: Cell[];
  better_swap: boolean;
  words: string;
}

export interface Review {
  players: { name: string; mark: string }[];
  start: Player | null;
  steps: ReviewStep[];
  summary: string;
}
