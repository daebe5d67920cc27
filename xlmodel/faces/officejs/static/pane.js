// The pane: whether the server answers, and the token where it asks for one.
(function () {
  "use strict";

  const TOKEN = "xlmodel.token"; // functions.js reads it at every request
  const state = document.getElementById("state");
  const field = document.getElementById("token");

  function say(text, good) {
    state.textContent = text;
    state.className = good ? "good" : "bad";
  }

  async function check() {
    const headers = { "Content-Type": "application/json" };
    const token = localStorage.getItem(TOKEN);
    if (token) headers.Authorization = "Bearer " + token;
    try {
      const body = JSON.stringify({ calls: [["XM_VERSION"]] });
      const response = await fetch("calls", { method: "POST", headers, body, cache: "no-store" });
      const answer = await response.json();
      if (response.ok) say("The server answers: xlmodel " + answer.answers[0] + ".", true);
      else say(answer.error.reason, false);
    } catch (fault) {
      say("The server was not reached. Start it with xlmodel serve, then open this pane again.", false);
    }
  }

  document.getElementById("form").addEventListener("submit", (event) => {
    event.preventDefault();
    localStorage.setItem(TOKEN, field.value.trim());
    field.value = "";
    check();
  });
  document.getElementById("forget").addEventListener("click", () => {
    localStorage.removeItem(TOKEN);
    check();
  });

  if (window.Office) Office.onReady();
  check();
})();
