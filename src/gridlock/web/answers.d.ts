// What the server says. Made by .ci/page_types.py from its own structures, and compared with them by a test.

/** Confirmation that an action has been stored. */
export interface Accepted {
  type: "accepted";
  ply: number;
  line: number;
  re?: number;
}

/** Which cells touch: all eight neighbours (as a chess king steps), or only the four that share a side. */
export type Adjacency = "king" | "orthogonal";

/** A position and its analysis. */
export interface Analysis {
  position: Position;
  analysis: Findings;
}

/** The winner on every board, as far as it is known. */
export interface Atlas {
  side: number;
  tables: AtlasTable[];
}

/** A board and its winner. */
export interface AtlasBoard {
  rows: number;
  cols: number;
  winner: number | null;
  evidence: "mirror" | "open" | "search" | "theorem";
  seconds: number;
}

/** All boards of a game with one adjacency; a board and its 90-degree rotation count as one. */
export interface AtlasTable {
  game: string;
  title: string;
  adjacency: Adjacency;
  own: boolean;
  boards: AtlasBoard[];
}

/** The board and the markers on it. */
export interface Board {
  title: string;
  own_rule: string | null;
  rows: number;
  cols: number;
  adjacency: Adjacency;
  origin: number;
  marks: [string, string];
  cells: string;
  trails: [number[], number[]];
  legal: number[];
  last: number | null;
  causes: number[];
}

/** A game that can be played. */
export interface Book {
  name: string;
  title: string;
  summary: string;
  rules: string;
  board: string;
  adjacency: Adjacency;
  origin: number;
  smallest: number;
  marks: [string, string];
  players: [string, string];
}

/** The limits for sizes and lengths. */
export interface Bounds {
  side: number;
  name: number;
  message: number;
  body: number;
}

/** The games and levels that this server offers. */
export interface Catalogue {
  games: Book[];
  first: string;
  adjacencies: Adjacency[];
  levels: Level[];
  limits: Bounds;
  address: string;
}

/** A public game that waits for an opponent. */
export interface Challenge {
  game: string;
  title: string;
  own_rule: string | null;
  board: string;
  adjacency: Adjacency;
  swap: boolean;
  clock: Timing | null;
  name: string;
  invitation: string;
}

/** The time control in seconds, and the time left in milliseconds. */
export interface Clock {
  seconds: number;
  increment: number;
  left: [number | null, number | null];
  runs: number | null;
  wait: number;
}

/** A game that has lessons. */
export interface Course {
  game: string;
  title: string;
  summary: string;
  lessons: string[];
}

/** All games that have lessons. */
export interface Courses {
  courses: Course[];
}

/** A new game and its tokens. */
export interface Created {
  id: string;
  token: string;
  watch: string;
  invitation: string | null;
}

/** One entry of the history. */
export interface Entry {
  kind: "move" | "pass" | "swap";
  ply: number;
  player: number;
  mark: string;
  cell: number | null;
  text: string | null;
  words: string;
}

/** Why a request was rejected. */
export interface Error {
  error: string;
  words: string;
}

/** The winner of a position, the winning moves, and the evidence. */
export interface Findings {
  verdict: Verdict;
  words: string;
  explanation: string;
  method: Method;
  winning: number[];
  moves: MoveValue[];
  distance: number | null;
  swap: Verdict | null;
  swap_words: string;
  countable: boolean;
  pairing: [number, number][];
  mirror: [number, number][];
  line: number[];
  positions: number;
  seconds: number;
}

/** The health of the server. */
export interface Health {
  status: "failing" | "ok" | "stopping";
  words: string;
  version: string;
  database: string;
  games: number;
  connections: number;
  process: number;
}

/** A hint in steps: whether the position is won, where to play, which move, and why. */
export interface Hint {
  verdict: Verdict;
  opinion: string;
  where: string;
  region: number[];
  naming: string;
  move: number | null;
  swap: boolean;
  reason: string;
  pairing: [number, number][];
  mirror: [number, number][];
  all_win: boolean;
  line: number[];
  brief: string;
}

/** A position with a task. */
export interface Lesson {
  number: number;
  title: string;
  text: string;
  task: string;
  position: Position;
  answers: number[];
  solution: string;
}

/** A game's lessons, in order. */
export interface Lessons {
  game: string;
  title: string;
  lessons: Lesson[];
}

/** An agent to play against. */
export interface Level {
  name: string;
  summary: string;
}

/** All public games. */
export interface Lobby {
  challenges: Challenge[];
  games: Watched[];
}

/** The kinds of evidence. */
export type Method = "centre" | "matching" | "mirror" | "rules" | "search";

/** The value of a move. */
export interface MoveValue {
  cell: number;
  verdict: Verdict;
  distance: number | null;
}

/** An announcement for players, in one sentence. */
export interface Notice {
  type: "notice";
  words: string;
}

/** A request for a takeback or a rematch, pending or declined. */
export interface Offer {
  what: "rematch" | "takeback";
  player: number;
  words: string;
}

/** A region after some moves in it, with both sides' best moves. */
export interface OpenRegion {
  drawn: string[];
  words: string;
  thermograph: string;
  left: RegionMove[];
  right: RegionMove[];
  note: string;
}

/** The result of a game. */
export interface Outcome {
  winner: number;
  loser: number;
  termination: Termination;
  words: string;
  both: boolean;
}

/** A pass that has just happened because a player had no legal move. */
export interface Pass {
  player: number;
  mark: string;
  words: string;
}

/** The answer to ping. */
export interface Pong {
  type: "pong";
  re?: number;
}

/** A position, from a game or set up. */
export interface Position {
  type: "position";
  ply: number;
  setup: WholeSetup;
  board: Board;
  to_move: number | null;
  mark: string | null;
  words: string;
  pass: Pass | null;
  moves: Entry[];
  outcome: Outcome | null;
  can_swap: boolean;
  re?: number;
}

/** The presence of both players, and what this client may claim, in how many milliseconds; null if nothing. */
export interface Presence {
  type: "presence";
  seats: ["away" | "gone" | "here", "away" | "gone" | "here"];
  claim: number | null;
  prize: "cancel" | "win" | null;
}

/** A position with a question; no solution. */
export interface Puzzle {
  kind: "hottest" | "trap" | "win";
  day: string | null;
  difficulty: number;
  rule: string;
  words: string;
  position: Position;
  choices: number;
}

/** Whether this server should receive new players. */
export interface Ready {
  ready: boolean;
  words: string;
}

/** Rejection of an action, with the reason. */
export interface Refused {
  type: "refused";
  reason: "illegal" | "limit" | "offer" | "over" | "pace" | "stale" | "storage" | "turn" | "waiting" | "watching";
  words: string;
  causes: number[];
  re?: number;
}

/** A part of the board that the rest does not affect. */
export interface Region {
  letter: string;
  cells: number[];
  words: string;
  heat: number | null;
  best: number | null;
  name: string;
  thermograph: string;
}

/** A move in an open region, and what it leaves of the region. */
export interface RegionMove {
  cell: number;
  text: string;
  drawn: string[];
  words: string;
}

/** The regions of a position, the hottest first, after the verdict on it. */
export interface Regions {
  verdict: string;
  regions: Region[];
  closing: string[];
  free: [number[], number[]];
}

/** The review of a game: where it was won and lost. */
export interface Review {
  players: [Reviewed, Reviewed];
  start: number | null;
  steps: Step[];
  summary: string;
  heats: (number | null)[];
}

/** A player of a reviewed game. */
export interface Reviewed {
  name: string;
  mark: string;
}

/** A player's reaction. */
export interface Said {
  type: "reaction";
  player: number;
  what: "hello" | "luck" | "nice" | "oops" | "thanks" | "wow";
  words: string;
}

/** The seat given in exchange for an invitation. */
export interface Seat {
  id: string;
  seat: number;
  token: string;
  watch: string;
}

/** A player of a game. */
export interface Seated {
  player: number;
  name: string;
  mark: string;
  kind: string;
  joined: boolean;
}

/** A position that was set up, or why no game leads to it. */
export interface SetUp {
  position: Position | null;
  words: string;
  cells: number[];
  pawns: boolean;
  follows: boolean;
}

/** Everything that a client needs to show a game. */
export interface State {
  type: "state";
  game: string;
  sequence: number;
  ply: number;
  line: number;
  setup: WholeSetup;
  opponent: string;
  board: Board;
  players: [Seated, Seated];
  to_move: number | null;
  thinking: boolean;
  words: string;
  pass: Pass | null;
  moves: Entry[];
  outcome: Outcome | null;
  cancelled: boolean;
  offer: Offer | null;
  declined: Offer | null;
  round: number;
  score: [number, number];
  rematch: string | null;
  clock: Clock | null;
  you: You;
}

/** A player's action, and who was winning before and after it. */
export interface Step {
  ply: number;
  kind: string;
  player: number;
  mark: string;
  who: string;
  cell: number | null;
  text: string;
  before: number | null;
  after: number | null;
  mistake: boolean;
  better: number[];
  better_swap: boolean;
  words: string;
  holds: string;
}

/** The result of a move in a lesson, including the opponent's reply. */
export interface Taught {
  right: boolean;
  done: boolean;
  words: string;
  position: Position;
}

/** How a game can end. */
export type Termination = "left" | "resigned" | "stuck" | "time";

/** A time control. */
export interface Timing {
  seconds: number;
  increment: number;
}

/** The judgement on a move in a puzzle. */
export interface Tried {
  right: boolean;
  done: boolean;
  words: string;
  position: Position;
  reply: number | null;
  refutation: number[];
  winning: number[];
  line: number[];
}

/** The outcome of a position or a move for the player to move, with perfect play. */
export type Verdict = "loss" | "unknown" | "win";

/** A public game in progress. */
export interface Watched {
  game: string;
  title: string;
  own_rule: string | null;
  board: string;
  adjacency: Adjacency;
  swap: boolean;
  clock: Timing | null;
  names: [string, string];
  ply: number;
  watch: string;
}

/** The answer to hello. */
export interface Welcome {
  type: "welcome";
  game: string;
  role: "invited" | "player" | "watching";
  seats: number[];
  watch: string | null;
  invitation: string | null;
  public: boolean;
  rule: string;
  back: string | null;
  re?: number;
}

/** A setup without defaults. */
export interface WholeSetup {
  game: string;
  definition?: Record<string, unknown>;
  position?: string;
  board: string;
  adjacency: Adjacency;
  starts: number;
  swap: boolean;
  moves: string[];
}

/** Why a cell can or cannot be played. */
export interface Why {
  type: "why";
  cell: number | null;
  legal: boolean;
  reason: "adjacency" | "outside" | "over" | "taken" | null;
  words: string;
  causes: number[];
  re?: number;
}

/** This client's role, seats and abilities. */
export interface You {
  role: "invited" | "player" | "watching";
  seats: number[];
  may: ("answer" | "join" | "move" | "rematch" | "resign" | "swap" | "takeback" | "withdraw")[];
}
