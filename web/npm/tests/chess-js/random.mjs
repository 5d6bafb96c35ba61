// Numbers that look random and are the same for the same seed.

export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to below 1. The algorithm is Mulberry32. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit) {
    return Math.floor(this.next() * limit);
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** One of the keys of `weights`, each as often as its weight says. */
  weighted(weights) {
    const keys = Object.keys(weights);
    let rest = this.next() * keys.reduce((sum, key) => sum + weights[key], 0);
    return keys.find((key) => (rest -= weights[key]) < 0) ?? keys[0];
  }
}
