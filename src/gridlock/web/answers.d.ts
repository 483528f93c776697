// What the server says. Made by .ci/page_types.py from its own structures, and compared with them by a test.

/** An action has been stored. */
export interface Accepted {
  type: "accepted";
  ply: number;
  line: number;
  re?: number;
}

/** Which cells touch: all eight neighbours (as a chess king steps), or only the four that share a side. */
export type Adjacency = "king" | "orthogonal";

/** A position and what was found out about it. */
export interface Analysis {
  position: Position;
  analysis: Findings;
}

/** Who wins on every board, as far as it is known. */
export interface Atlas {
  side: number;
  tables: AtlasTable[];
}

/** A board, and who wins on it. */
export interface AtlasBoard {
  rows: number;
  cols: number;
  winner: number | null;
  evidence: "mirror" | "open" | "search" | "theorem";
}

/** Every board of a game with one kind of neighbours; a board and its turned twin are one. */
export interface AtlasTable {
  game: string;
  title: string;
  adjacency: Adjacency;
  own: boolean;
  boards: AtlasBoard[];
}

/** The board and what stands on it. */
export interface Board {
  title: string;
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

/** What is too much. */
export interface Bounds {
  side: number;
  name: number;
  message: number;
  body: number;
}

/** What can be played. */
export interface Catalogue {
  games: Book[];
  first: string;
  adjacencies: Adjacency[];
  levels: Level[];
  limits: Bounds;
  address: string;
}

/** A game that waits for an opponent. */
export interface Challenge {
  game: string;
  title: string;
  board: string;
  adjacency: Adjacency;
  swap: boolean;
  clock: Timing | null;
  name: string;
  invitation: string;
}

/** How much time there is: at first, with each move, and now, in milliseconds. */
export interface Clock {
  seconds: number;
  increment: number;
  left: [number | null, number | null];
  runs: number | null;
  wait: number;
}

/** A game that there are lessons of. */
export interface Course {
  game: string;
  title: string;
  summary: string;
  lessons: string[];
}

/** All games that there are lessons of. */
export interface Courses {
  courses: Course[];
}

/** A new game and what opens it. */
export interface Created {
  id: string;
  token: string;
  watch: string;
  invitation: string | null;
}

/** One line of the history. */
export interface Entry {
  kind: "move" | "pass" | "swap";
  ply: number;
  player: number;
  mark: string;
  cell: number | null;
  text: string | null;
  words: string;
}

/** Why something was refused. */
export interface Error {
  error: string;
  words: string;
}

/** Who wins, by which moves, and why. */
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

/** Whether everything works. */
export interface Health {
  status: "failing" | "ok" | "stopping";
  words: string;
  version: string;
  database: string;
  games: number;
  connections: number;
  process: number;
}

/** What to play, a step at a time: whether it is won, where, which move, and why. */
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
}

/** A position with a task. */
export interface Lesson {
  number: number;
  title: string;
  text: string;
  task: string;
  position: Position;
  answers: number[];
  after: string;
}

/** The lessons of a game, in order. */
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

/** The games that anybody may see. */
export interface Lobby {
  challenges: Challenge[];
  games: Watched[];
}

/** The kinds of evidence. */
export type Method = "matching" | "mirror" | "rules" | "search";

/** What a move is worth. */
export interface MoveValue {
  cell: number;
  verdict: Verdict;
  distance: number | null;
}

/** Something that players should know, in a sentence. */
export interface Notice {
  type: "notice";
  words: string;
}

/** A question that is open, or was declined. */
export interface Offer {
  what: "rematch" | "takeback";
  player: number;
  words: string;
}

/** How a game ended. */
export interface Outcome {
  winner: number;
  loser: number;
  termination: Termination;
  words: string;
}

/** A pass that has just been made for somebody. */
export interface Pass {
  player: number;
  mark: string;
  words: string;
}

/** Somebody is there. */
export interface Pong {
  type: "pong";
  re?: number;
}

/** A position of a game, or one that was set up. */
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

/** Who is there, and in how many milliseconds this client may claim the win; null while it may not at all. */
export interface Presence {
  type: "presence";
  seats: ["away" | "gone" | "here", "away" | "gone" | "here"];
  claim: number | null;
}

/** A position with exactly one winning move, and the answer. */
export interface Puzzle {
  day: string | null;
  hard: boolean;
  rule: string;
  words: string;
  position: Position;
  analysis: Findings;
}

/** Whether players should be sent here. */
export interface Ready {
  ready: boolean;
  words: string;
}

/** Nothing has changed, and why. */
export interface Refused {
  type: "refused";
  reason: "illegal" | "limit" | "offer" | "over" | "pace" | "stale" | "storage" | "turn" | "waiting" | "watching";
  words: string;
  causes: number[];
  re?: number;
}

/** Where a game was won and lost. */
export interface Review {
  players: [Reviewed, Reviewed];
  start: number | null;
  steps: Step[];
  summary: string;
}

/** A player of a game that was looked through. */
export interface Reviewed {
  name: string;
  mark: string;
}

/** A player said one of a few words. */
export interface Said {
  type: "reaction";
  player: number;
  what: "hello" | "luck" | "nice" | "oops" | "thanks" | "wow";
  words: string;
}

/** The seat that an invitation was exchanged for. */
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

/** Everything that one client needs to show a game. */
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
  offer: Offer | null;
  declined: Offer | null;
  round: number;
  score: [number, number];
  rematch: string | null;
  clock: Clock | null;
  you: You;
}

/** What a player did, and who was winning before and after. */
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

/** What a move in a lesson comes to, the opponent's answer included. */
export interface Taught {
  right: boolean;
  done: boolean;
  words: string;
  position: Position;
}

/** How a game can end. */
export type Termination = "left" | "resigned" | "stuck" | "time";

/** How a clock is set. */
export interface Timing {
  seconds: number;
  increment: number;
}

/** How a position or a move turns out for the player to move, if nobody errs. */
export type Verdict = "loss" | "unknown" | "win";

/** A game that is being played. */
export interface Watched {
  game: string;
  title: string;
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
  rule: string;
  re?: number;
}

/** A setup that leaves nothing to be guessed. */
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

/** What the client itself may do. */
export interface You {
  role: "invited" | "player" | "watching";
  seats: number[];
  may: ("answer" | "join" | "move" | "rematch" | "resign" | "swap" | "takeback" | "withdraw")[];
}
