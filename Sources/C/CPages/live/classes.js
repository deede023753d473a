// SPDX-License-Identifier: Apache-2.0
// The classes to report: added one by one by name, each with a button that removes it.
export class Classes extends EventTarget {
  #input;
  #options;
  #list;
  #labels = [];
  #isOffered = false;
  /** The chosen classes, including those of previous models. */
  #wanted;
  chosen = [];

  constructor(input, options, list, wanted) {
    super();
    [this.#input, this.#options, this.#list] = [input, options, list];
    this.#wanted = Array.isArray(wanted) ? wanted : [];
    // A listed name needs no Enter, unless it is the start of another name.
    input.oninput = ({ inputType }) => { if (!inputType || inputType === 'insertReplacementText') this.#take(); };
    input.onchange = () => this.#take();
  }

  /** Sets the classes of a model, loaded or not; chosen classes that it has stay chosen. */
  offer(labels = []) {
    // The server refuses labels with nothing before, between or after their commas.
    const offered = [...new Set(labels)].filter((label) => label.split(',').every((part) => part.trim()));
    if (this.#isOffered && JSON.stringify(offered) === JSON.stringify(this.#labels)) return;
    this.#isOffered = true;
    this.#labels = offered;
    this.#options.replaceChildren(...this.#labels.map((label) => new Option('', label)));
    this.#input.disabled = this.#labels.length === 0;
    this.#input.placeholder = this.#input.disabled ? 'The model names no classes' : 'All';
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
