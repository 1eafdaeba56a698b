// Tells the page what it does not know yet, and again until it does: what is said while the page is being made
// anew may go unheard, and after the end of a run no further picture would say it.

const HEARD_WITHIN = 8000; // milliseconds

export class Teller {
  /** @type {string | null} */
  #said = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #again;

  /**
   * @param {() => string | false | null | undefined} news what the page should know, nothing if it knows everything
   * @param {(news: string) => void} say passes it on
   * @param {import("./lifetime.js").Lifetime} lifetime
   */
  constructor(news, say, lifetime) {
    this.news = news;
    this.say = say;
    lifetime.atEnd(() => clearTimeout(this.#again));
  }

  look() {
    const news = this.news();
    if (news && news !== this.#said) {
      this.say(news);
      clearTimeout(this.#again);
      this.#again = setTimeout(() => {
        this.#said = null;
        this.look();
      }, HEARD_WITHIN);
    }
    this.#said = news || null;
  }
}
