// Shows the pages that search-words.js lists for the words of a query, above the results of the full-text search.
(() => {
  const { words, targets } = window.searchWords;
  const query = new URLSearchParams(location.search).get("q") || "";

  const plain = (text) =>
    text.toLowerCase().normalize("NFD").replace(/[^a-z0-9]/g, "").replace(/(?<=[a-z0-9])(joint|constraint|force|element|type)$/, "");
  const forms = (key) => [key, key.replace(/ies$/, "y"), key.replace(/s$/, ""), key.replace(/es$/, "")];
  const known = (text) => forms(plain(text)).find((key) => Object.hasOwn(words, key));

  function found() {
    const parts = query.split(/\s+/).filter(Boolean);
    const pairs = parts.slice(1).map((part, k) => `${parts[k]} ${part}`);
    const whole = known(query);
    const keys = whole ? [whole] : [...pairs, ...parts].map(known).filter(Boolean);
    return [...new Set(keys.flatMap((key) => words[key]))].slice(0, 6);
  }

  const best = found();
  if (!best.length) return;
  const list = document.createElement("ul");
  list.className = "search";
  for (const k of best) {
    const [place, title, note] = targets[k];
    const item = list.appendChild(document.createElement("li"));
    const link = item.appendChild(document.createElement("a"));
    link.href = place;
    link.textContent = title;
    if (note) item.appendChild(document.createElement("p")).textContent = note;
  }
  const block = document.createElement("section");
  block.id = "best-matches";
  block.appendChild(document.createElement("h2")).textContent = "Best matches";
  block.append(list);
  document.getElementById("search-results").before(block);

  // the message of the full-text search if it finds nothing would contradict the matches above
  const gettext = Documentation.gettext;
  Documentation.gettext = (text) =>
    text.startsWith("Your search did not match") ? "No further page contains all of these words." : gettext(text);
})();
