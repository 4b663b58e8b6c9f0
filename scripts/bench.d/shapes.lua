-- The polls of a file, one after the other: query, Accept-Language and If-None-Match, parted by tabs, a line each.
local polls, turn = {}, 0

function init()
  for line in io.lines(os.getenv("SHAPES")) do
    local query, language, tag = line:match("([^\t]*)\t([^\t]*)\t(.*)")
    local fields = {
      "Host: 127.0.0.1:" .. wrk.port, "Accept: application/json", "Accept-Encoding: gzip",
      "Accept-Language: " .. language, "User-Agent: HomeApp/5.2 (iPhone; iOS 18.1)",
    }
    if tag ~= "" then table.insert(fields, "If-None-Match: " .. tag) end
    local head = "GET " .. wrk.path .. "?" .. query .. " HTTP/1.1\r\n" .. table.concat(fields, "\r\n")
    polls[#polls + 1] = head .. "\r\n\r\n"
  end
end

function request()
  turn = turn % #polls + 1
  return polls[turn]
end
