// Excel's end of the bridge that the custom functions runtime talks over: invocations in, results out.
// The runtime itself is Microsoft's; this stands for the program around it.
(function () {
  const pending = new Map();
  let nextId = 1;

  const bridge = {
    onMessageFromHost: null, // the runtime sets it
    sendMessageToHost(text) {
      const message = JSON.parse(text);
      if (message.type !== 1) return;
      const query = message.message.body;
      for (const action of query.Actions) {
        if (action.Name === "SetInvocationArrayResults") action.ArgumentInfo.Arguments[0].forEach(settle);
      }
      const body = JSON.stringify({ Results: query.Actions.map(({ Id }) => ({ ActionId: Id, Value: null })) });
      const reply = { id: message.id, type: 2, flags: 0, message: { statusCode: 200, headers: {}, body } };
      setTimeout(() => bridge.onMessageFromHost(JSON.stringify(reply)), 0);
    },
  };

  // A value, or a message with the number of an error.
  function settle([id, good, value, failure]) {
    pending.get(id)(good ? { value } : { message: value, failure });
    pending.delete(id);
  }

  window._richApiNativeBridge = bridge;

  // One recalculation: [[name, [argument, ...]], ...] -> results as the runtime hands them to Excel.
  window.recalculate = (calls) => {
    const ALLOWS_ERRORS = 4; // the flag of functions whose metadata allows errors as arguments
    const results = calls.map(() => {
      const id = nextId;
      nextId += 1;
      return [id, new Promise((resolve) => pending.set(id, resolve))];
    });
    const entries = calls.map(([name, values], i) => ({
      messageCategory: 1,
      messageType: 1000,
      targetId: "",
      message: JSON.stringify([results[i][0], name, values, "Sheet1!A1", ALLOWS_ERRORS]),
    }));
    bridge.onMessageFromHost(JSON.stringify({ type: 3, message: { entries } }));
    return Promise.all(results.map(([, result]) => result));
  };
})();
