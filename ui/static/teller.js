// Tells the page what it does not know yet, and again until it does: what is said while the page is being made
// anew may go unheard, and after the end of a run no further picture would say it.

const HEARD_WITHIN = 8000; // milliseconds

export class Teller {
  // `news` returns what the page should know, nothing if it knows everything; `say` passes it on.
  constructor(news, say) {
    Object.assign(this, { news, say, said: null });
  }

  look() {
    const news = this.news();
    if (news && news !== this.said) {
      this.say(news);
      clearTimeout(this.again);
      this.again = setTimeout(() => {
        this.said = null;
        this.look();
      }, HEARD_WITHIN);
    }
    this.said = news;
  }

  close() {
    clearTimeout(this.again);
  }
}
