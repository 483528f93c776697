// The server's HTTP API.

/** An answer that says no, with words for people. */
export class Failure extends Error {
  constructor(code, words) {
    super(words);
    this.code = code;
  }
}

/** Ask the server; a body makes it a POST. */
export async function api(path, { body, token, signal } = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method: body ? "POST" : "GET", headers, signal, body: body && JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure("network", "The server does not answer. Is the network there?");
  }
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const answer = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new Failure(answer.error ?? "broken", answer.words ?? "Something went wrong on the server.");
  return answer;
}

let known;

/** The games that can be played; asked for once. */
export function catalogue() {
  known ??= api("/api/games");
  return known;
}
