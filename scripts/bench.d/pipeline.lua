-- Sixteen polls in one write.
function init()
  local poll = wrk.format()
  sixteen = string.rep(poll, 16)
end

function request() return sixteen end
