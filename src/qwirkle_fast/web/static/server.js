// Asking the server.

/** An error that the server explained: `message` is one line. */
export class Problem extends Error {
  constructor(problem) {
    super(problem.detail ?? "the server cannot be asked");
    this.problem = problem;
  }
}

async function send(path, body, signal) {
  const options = body === undefined ? { signal } : {
    method: "POST", signal, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ detail: "the server does not answer" });
  }
  if (!response.ok) throw new Problem(await response.json().catch(() => ({})));
  return response;
}

/** The answer to a question; a GET when there is no body. */
export async function ask(path, body, signal) {
  return (await send(path, body, signal)).json();
}

/** Server-sent events: yields [event, data]. */
export async function* listen(path, body, signal) {
  const response = await send(path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [, name, data] = event.match(/^event: (.*)\ndata: (.*)$/) ?? [];
      if (name) yield [name, JSON.parse(data)];
    }
  }
}
