// One object for each place on a page: made when it is first shown, told of every change, closed when it is left.

export function mounted(make) {
  const there = new WeakMap();
  return {
    show(component) {
      const place = component.parentElement;
      if (!there.has(place)) there.set(place, make(place, component));
      there.get(place).update(component);
    },
    leave(place) {
      there.get(place)?.close?.();
      there.delete(place);
    },
  };
}
