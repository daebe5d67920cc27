// The functions of xlmodel in Excel: calls go to the server that served this file, answers come back.
//
// All calls of one recalculation travel in one request.  Nothing is kept: a call that gets no answer shows
// #N/A with the reason, never an earlier value.
(function () {
  "use strict";

  const SERVER = __SERVER__;
  const FUNCTIONS = __FUNCTIONS__;

  const ENDPOINT = new URL("calls", location.href);
  const TOKEN = "xlmodel.token"; // where the pane keeps it; it is never part of an address
  const GATHER_MILLISECONDS = 10;
  const PAUSES_MILLISECONDS = [200, 800, 2000]; // before a request is repeated; a call has no effects
  const ENVELOPE = '{"calls":[]}'.length;
  // Excel takes a thrown error of these kinds only; others are returned as values.
  const THROWN = new Set(["#VALUE!", "#NUM!", "#N/A", "#DIV/0!", "#NULL!"]);

  let waiting = [];
  let timer = null;

  // --- values ------------------------------------------------------------------------------------

  // A left-out argument is null, a blank cell null or an empty text.
  function argument(value) {
    if (!Array.isArray(value)) return cell(value);
    return value.map((row) => (Array.isArray(row) ? row.map(cell) : [cell(row)]));
  }

  function cell(value) {
    if (value === null || value === undefined) return null;
    if (typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : { error: "#NUM!" };
    if (value.type === "Error") return { error: String(value.code || value.basicValue || "#VALUE!") };
    // A formatted number has a plain value; an entity or a picture has none.
    return typeof value.basicValue === "object" || value.basicType === "Error" || value.basicValue === undefined
      ? { error: "#VALUE!" }
      : cell(value.basicValue);
  }

  function isError(answer) {
    return answer !== null && typeof answer === "object" && !Array.isArray(answer);
  }

  function shown(answer) {
    return isError(answer) ? new CustomFunctions.Error(answer.error, answer.reason || undefined) : answer;
  }

  function settle(call, answer) {
    if (isError(answer) && THROWN.has(answer.error)) {
      call.reject(shown(answer));
    } else if (call.rows) {
      call.resolve(Array.isArray(answer) ? answer.map((row) => row.map(shown)) : [[shown(answer)]]);
    } else {
      call.resolve(shown(answer));
    }
  }

  // --- batches -----------------------------------------------------------------------------------

  function ask(name, values, rows) {
    return new Promise((resolve, reject) => {
      const text = JSON.stringify([name, ...values.map(argument)]);
      waiting.push({ text, size: new TextEncoder().encode(text).length + 1, rows, resolve, reject });
      if (timer === null) timer = setTimeout(send, GATHER_MILLISECONDS);
    });
  }

  function send() {
    const calls = waiting;
    waiting = [];
    timer = null;
    let batch = [];
    let size = ENVELOPE;
    for (const call of calls) {
      if (batch.length > 0 && (batch.length === SERVER.calls || size + call.size > SERVER.bytes)) {
        deliver(batch);
        batch = [];
        size = ENVELOPE;
      }
      batch.push(call);
      size += call.size;
    }
    deliver(batch);
  }

  async function deliver(batch) {
    try {
      const answers = await answersTo(batch);
      batch.forEach((call, i) => settle(call, answers[i]));
    } catch (failure) {
      // Microsoft's code for a service that is not available, and one of the two that carry a message.
      for (const call of batch) call.reject(shown({ error: "#N/A", reason: failure.message }));
    }
  }

  async function answersTo(batch) {
    const body = '{"calls":[' + batch.map((call) => call.text).join() + "]}";
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await post(body, batch.length);
      if (outcome.answers) return outcome.answers;
      if (!outcome.again || attempt === PAUSES_MILLISECONDS.length) throw new Error(outcome.reason);
      await new Promise((resume) => setTimeout(resume, PAUSES_MILLISECONDS[attempt]));
    }
  }

  async function post(body, expected) {
    const abort = new AbortController();
    const clock = setTimeout(() => abort.abort(), 1000 * SERVER.seconds + 5000);
    try {
      const response = await fetch(ENDPOINT, {
        method: "POST",
        headers: headers(),
        body,
        cache: "no-store",
        redirect: "error",
        signal: abort.signal,
      });
      if (!response.ok) return await refusal(response);
      const { answers } = await response.json();
      return Array.isArray(answers) && answers.length === expected
        ? { answers }
        : { reason: notReached("its answer does not fit the question"), again: false };
    } catch (fault) {
      const why = abort.signal.aborted ? "it did not answer in time" : "it was not reached";
      return { reason: notReached(why), again: !abort.signal.aborted };
    } finally {
      clearTimeout(clock);
    }
  }

  async function refusal(response) {
    const again = response.status === 502 || response.status === 503;
    try {
      const { error } = await response.json();
      return { reason: String(error.reason), again };
    } catch (fault) {
      return { reason: notReached("it answered with status " + response.status), again };
    }
  }

  function headers() {
    const known = { "Content-Type": "application/json" };
    let token = null;
    try {
      token = localStorage.getItem(TOKEN);
    } catch (fault) {
      // A browser that keeps nothing for pages inside pages: the server will say that it asks for a token.
    }
    if (token) known.Authorization = "Bearer " + token;
    return known;
  }

  function notReached(why) {
    return SERVER.notReached.code + " the server " + ENDPOINT.origin + ": " + why + " (" + SERVER.notReached.remedy + ")";
  }

  // --- functions ---------------------------------------------------------------------------------

  // Excel adds what it knows of the invocation at the end, and hands over repeated arguments as a list.
  function isInvocation(value) {
    return value !== null && typeof value === "object" && "functionName" in value;
  }

  function served(name, { arguments: count, repeated, rows }) {
    return (...given) => {
      if (isInvocation(given[given.length - 1])) given.pop();
      const values = given.slice(0, count);
      const rest = repeated && values.length === count ? values.pop() : [];
      return ask(name, values.concat(Array.isArray(rest) ? rest : []), rows);
    };
  }

  for (const [name, described] of Object.entries(FUNCTIONS)) {
    CustomFunctions.associate(name, served(name, described));
  }
})();
