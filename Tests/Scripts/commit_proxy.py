"""A link to PostgreSQL that is lost at a commit: usage: commit_proxy.py FOLDER TARGET

It listens on FOLDER/.s.PGSQL.5432 and passes everything on to TARGET/.s.PGSQL.5432. FOLDER/cut says what becomes of
the next commit of a change that the audit tells of: `commit` loses the link when the server has said that it is done,
before the client hears of it; `after` as soon as the client has heard. From then on the database is away, until the
file says nothing.
"""
import asyncio, os, sys

folder, target = sys.argv[1:3]
links, state = set(), {"away": False}


def wanted():
    try:
        with open(f"{folder}/cut") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


def cut():
    state["away"] = True
    for link in list(links):
        link.transport.abort()


async def message(reader, isFirst=False):
    """One message: its type, and all of its bytes."""
    kind = b"" if isFirst else await reader.readexactly(1)
    size = await reader.readexactly(4)
    return kind, kind + size + await reader.readexactly(int.from_bytes(size, "big") - 4)


async def requests(reader, writer, link):
    isFirst = True
    while True:
        kind, data = await message(reader, isFirst)
        isFirst = False
        if kind in (b"P", b"Q") and b"INTO audit" in data:
            link["change"] = True
        writer.write(data)
        await writer.drain()


async def answers(reader, writer, link):
    isLast = False
    while True:
        kind, data = await message(reader)
        if kind == b"C" and data[5:] in (b"COMMIT\0", b"ROLLBACK\0"):
            isChange, link["change"] = link["change"] and data[5:] == b"COMMIT\0", False
            if isChange and wanted() == "commit":
                return cut()
            isLast = isChange and wanted() == "after"
        writer.write(data)
        await writer.drain()
        if isLast and kind == b"Z":
            return cut()


async def serve(reader, writer):
    if state["away"] and not wanted():
        state["away"] = False
    if state["away"]:
        return writer.transport.abort()
    above, below = await asyncio.open_unix_connection(f"{target}/.s.PGSQL.5432")
    link = {"change": False}
    links.update((writer, below))
    tasks = [asyncio.ensure_future(one) for one in (requests(reader, below, link), answers(above, writer, link))]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for one in (writer, below):
        links.discard(one)
        one.close()


async def main():
    server = await asyncio.start_unix_server(serve, f"{folder}/.s.PGSQL.5432")
    print("ready", flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())
