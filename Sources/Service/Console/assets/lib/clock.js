// The server's clock, as far as its answers tell: their dates are whole seconds, and each was under way for a while.

/** The longest that a browser's timer waits, in milliseconds. */
export const timerMax = 2_147_483_647;

/** What a date leaves open, in milliseconds. */
const second = 1000;

export class ServerClock {
  /** How far the server's clock is ahead of this one, at least and at most, in milliseconds. */
  #least = -Infinity;
  #most = Infinity;

  /**
   * Takes an answer's date, with the times of this clock between which it was made, all in milliseconds. Every answer
   * leaves less open, until one does not fit: then a clock was set.
   * @param {number} date
   * @param {number} sent
   * @param {number} received
   */
  hear(date, sent, received) {
    const [least, most] = [date - received, date + second - sent];
    const fits = least <= this.#most && most >= this.#least;
    this.#least = fits ? Math.max(this.#least, least) : least;
    this.#most = fits ? Math.min(this.#most, most) : most;
  }

  /** The time there at a time here: the same as long as no answer says otherwise. */
  at(/** @type {number} */ here) {
    return this.#least <= 0 && this.#most >= 0 ? here : here + (this.#least + this.#most) / 2;
  }

  /**
   * How long it is at a time here until the server's clock shows an instant, at least and at most, in milliseconds.
   * @param {number} instant
   * @param {number} here
   */
  until(instant, here) {
    const isKnown = Number.isFinite(this.#least);
    return {
      least: instant - here - (isKnown ? this.#most : 0), most: instant - here - (isKnown ? this.#least : 0),
    };
  }
}
