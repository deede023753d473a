// SPDX-License-Identifier: Apache-2.0
// The classes to report: chosen by name, one after the other, and given up by a button each.
export class Classes extends EventTarget {
  #input;
  #options;
  #list;
  #labels = [];
  #isOffered = false;
  /** What was chosen, of models before as well. */
  #wanted;
  chosen = [];

  constructor(input, options, list, wanted) {
    super();
    [this.#input, this.#options, this.#list] = [input, options, list];
    this.#wanted = Array.isArray(wanted) ? wanted : [];
    // A name of the list needs no Enter; a name that begins another one does.
    input.oninput = ({ inputType }) => { if (!inputType || inputType === 'insertReplacementText') this.#take(); };
    input.onchange = () => this.#take();
  }

  /** The classes of a model, which is loaded or not; of those that are chosen, the ones that it has stay. */
  offer(labels = []) {
    // A comma separates labels in an address.
    const offered = [...new Set(labels)].filter((label) => label && !label.includes(','));
    if (this.#isOffered && offered.join() === this.#labels.join()) return;
    this.#isOffered = true;
    this.#labels = offered;
    this.#options.replaceChildren(...this.#labels.map((label) => new Option('', label)));
    this.#input.disabled = this.#labels.length === 0;
    this.#input.placeholder = this.#input.disabled ? 'The model names none' : 'All';
    this.chosen = this.#wanted.filter((label) => this.#labels.includes(label));
    this.#show();
  }

  #take() {
    const text = this.#input.value.trim().toLowerCase();
    if (!text) return this.#input.setCustomValidity('');
    const label = this.#labels.find((each) => each.toLowerCase() === text);
    this.#input.setCustomValidity(label ? '' : `The model has no class '${text}'`);
    if (!label) return this.#input.reportValidity();
    this.#input.value = '';
    if (!this.chosen.includes(label)) this.#change([...this.chosen, label]);
  }

  #change(chosen) {
    this.chosen = this.#wanted = chosen;
    this.#show();
    this.dispatchEvent(new Event('change'));
  }

  #show() {
    this.#list.hidden = this.chosen.length === 0;
    this.#list.replaceChildren(...this.chosen.map((label) => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label });
      button.setAttribute('aria-label', `Remove ${label}`);
      button.onclick = () => {
        this.#change(this.chosen.filter((each) => each !== label));
        this.#input.focus();
      };
      const row = document.createElement('li');
      row.append(button);
      return row;
    }));
  }
}
