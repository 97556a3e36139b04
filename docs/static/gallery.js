// Shows the cards of one tag. Without this script a tag leads to the list of its entries.
(() => {
  const cards = [...document.querySelectorAll(".gallery .card")];
  const links = [...document.querySelectorAll("a.tag")].filter((a) => a.hash);
  const tagOf = (a) => a.textContent.trim();
  const tags = new Map(links.map((a) => [a.hash.slice(1), tagOf(a)]));
  let shown = "";

  function show(tag) {
    shown = tag;
    for (const card of cards) card.hidden = !!tag && !card.dataset.tags.split(",").includes(tag);
    for (const a of links) a.classList.toggle("chosen", tagOf(a) === tag);
  }
  for (const a of links)
    a.addEventListener("click", (event) => {
      event.preventDefault();
      show(shown === tagOf(a) ? "" : tagOf(a));
      history.replaceState(null, "", shown ? a.hash : location.pathname + location.search);
    });
  function follow() {
    show(tags.get(decodeURIComponent(location.hash.slice(1))) || "");
    if (shown) setTimeout(() => scrollTo(0, 0));
  }
  follow();
  addEventListener("load", follow); // the browser has scrolled to the list of the tag
  addEventListener("hashchange", follow);
})();
