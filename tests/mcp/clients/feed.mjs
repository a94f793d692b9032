// What arrives at times of its own, to be waited for.
export class Feed {
  #values = [];
  #waiting = [];

  put(value) {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(value);
    else this.#values.push(value);
  }

  next() {
    if (this.#values.length > 0) return Promise.resolve(this.#values.shift());
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  // The first one that is `wanted`; others before it are dropped.
  async until(wanted) {
    for (;;) {
      const value = await this.next();
      if (wanted(value)) return value;
    }
  }
}
