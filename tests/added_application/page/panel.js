// A tile that says where the echo is.

export function open(frame) {
  const tile = frame.addTile('Echo');
  return { update(status) { tile.show('up', status.echo.url); } };
}
