// SPDX-License-Identifier: Apache-2.0

/// The page's script, which filters and sorts; without it everything is shown in the order of the run.
enum ReportScript {
  /// The whole script; it reads what the page holds and fetches nothing.
  static let source = #"""
    "use strict";
    (() => {
      const field = (id) => document.getElementById(id);
      const list = field("images");
      const tools = field("tools");
      if (!list || !tools) return;
      const cards = Array.from(list.children, (card, order) => ({
        card, order,
        name: card.querySelector("h3").textContent.toLowerCase(),
        classes: card.dataset.c || "",
        score: card.dataset.score ? Number(card.dataset.score) : -1,
        found: Number(card.dataset.found || 0),
        time: Number(card.dataset.ms || 0),
      }));
      const unsure = (entry) => (entry.score < 0 ? Infinity : entry.score);
      const orders = {
        run: () => 0,
        name: (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
        sure: (a, b) => b.score - a.score,
        unsure: (a, b) => (unsure(a) === unsure(b) ? 0 : unsure(a) - unsure(b)),
        many: (a, b) => b.found - a.found,
        slow: (a, b) => b.time - a.time,
      };
      const filter = () => {
        const text = field("by-name").value.trim().toLowerCase();
        const wanted = field("by-class").value;
        const least = Number(field("by-score").value);
        field("least").textContent = least.toFixed(2);
        let shown = 0;
        for (const entry of cards) {
          const fits = entry.name.includes(text)
            && (wanted === "" || (wanted === "none" && entry.found === 0)
              || entry.classes.includes(" " + wanted + " "))
            && (least === 0 || entry.score >= least);
          entry.card.hidden = !fits;
          if (!fits) continue;
          shown += 1;
          for (const part of entry.card.querySelectorAll("[data-s]")) {
            part.toggleAttribute("hidden", Number(part.dataset.s) < least);
          }
        }
        field("shown").textContent = shown === cards.length
          ? "All " + cards.length + " are shown." : shown + " of " + cards.length + " are shown.";
      };
      const sort = () => {
        const precedes = orders[field("by-order").value] || orders.run;
        const sorted = cards.slice().sort((a, b) => precedes(a, b) || a.order - b.order);
        const fragment = document.createDocumentFragment();
        for (const entry of sorted) fragment.append(entry.card);
        list.append(fragment);
      };
      let isWaiting = false;
      const later = () => {
        if (isWaiting) return;
        isWaiting = true;
        requestAnimationFrame(() => { isWaiting = false; filter(); });
      };
      for (const id of ["by-name", "by-class", "by-score"]) field(id).addEventListener("input", later);
      field("by-order").addEventListener("input", sort);
      tools.hidden = false;
      filter();
      if (field("by-order").value !== "run") sort();
    })();

    """#
}
