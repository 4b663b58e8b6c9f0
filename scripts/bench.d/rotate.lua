-- Fifty polls as real clients send them: other query strings, languages and header orders, one after the other.
local polls, turn = {}, 0
local languages = {"zh-Hans", "zh-CN,zh;q=0.9", "vi-VN,vi;q=0.8,en;q=0.5", "en-GB,en;q=0.9", "en"}

function init()
  for number = 0, 49 do
    local path = string.format("%s?platform=ios&appVersion=5.%d&bucket=%d", wrk.path, number % 10, number)
    local fields = {
      "Host: 127.0.0.1:" .. wrk.port, "Accept: application/json", "Accept-Encoding: gzip, deflate, br",
      "Accept-Language: " .. languages[number % #languages + 1], "User-Agent: HomeApp/5.2 (iPhone; iOS 18.1)",
      "Connection: keep-alive",
    }
    for step = 1, number % #fields do table.insert(fields, table.remove(fields, 1)) end
    polls[number] = "GET " .. path .. " HTTP/1.1\r\n" .. table.concat(fields, "\r\n") .. "\r\n\r\n"
  end
end

function request()
  turn = (turn + 1) % 50
  return polls[turn]
end
