import HTTPClient
import Testing

@Suite struct AddressTests {
  @Test(
    arguments: [
      "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
      "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1",
      "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.9", "224.0.0.1", "239.255.255.250",
      "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1",
      "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:10::1", "2001:db8::1", "2002:7f00:1::",
      "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1",
    ])
  func `an address that the internet does not give out is special`(text: String) throws {
    #expect(try #require(NetworkAddress(text)).isSpecial)
  }

  @Test(
    arguments: [
      "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
      "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255", "192.169.0.0",
      "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:200::1", "2003::1", "2606:4700::1111",
      "2a00:1450::1", "3ffe:ffff::1",
    ])
  func `a public address is none`(text: String) throws {
    #expect(!(try #require(NetworkAddress(text)).isSpecial))
  }

  @Test func `a range holds what begins as it does, and nothing of the other family`() throws {
    let cases: [(String, String, Bool)] = [
      ("10.0.0.0/8", "10.9.8.7", true), ("10.0.0.0/8", "11.0.0.0", false), ("127.0.0.1", "127.0.0.1", true),
      ("127.0.0.1", "127.0.0.2", false), ("172.16.0.0/12", "172.31.0.1", true), ("172.16.0.0/12", "172.32.0.1", false),
      ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "::ffff:8.8.8.8", false), ("fd00::/8", "fdff::1", true),
      ("fd00::/8", "fe00::1", false), ("::/0", "10.0.0.1", false),
    ]
    for (text, address, isIn) in cases {
      let range = try #require(AddressRange(text))
      #expect(range.contains(try #require(NetworkAddress(address))) == isIn, "\(text) \(address)")
    }
    let wrong = ["", "10", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "a.example", "1.2.3"]
    for text in wrong { #expect(AddressRange(text) == nil, "\(text)") }
  }

  @Test(
    arguments: [
      "http://a.example", "https://a.example/", "https://a-b.example:8443/x?y=1&z=%20", "http://127.0.0.1:80/x",
      "https://[2001:db8::1]/x", "https://[::1]:8443", "https://a.example?x", "https://xn--fsq.example/a",
    ])
  func `an address that everybody reads the same way is taken`(text: String) {
    #expect(OutgoingURL(text)?.text == text)
  }

  @Test(
    arguments: [
      "", "a.example", "ftp://a.example", "file:///etc/passwd", "gopher://a.example", "HTTPS://a.example",
      "https://", "https:///x", "https://user@a.example", "https://user:secret@a.example", "https://a.example:0",
      "https://a.example:", "https://a.example:65536", "https://a.example:+1", "https://a.example#x",
      "https://a.example/ b", "https://a.example/\u{7F}", "https://a.example/é", "https://é.example",
      "https://a..example", "https://.example", "https://a.example.", "http://127.1", "http://2130706433",
      "http://0x7f000001", "http://0x7f.1", "http://0177.0.0.1", "http://1.2.3.4.5", "http://a.1", "https://[::1",
      "https://::1/", "https://[fe80::1%25eth0]/", "https://[127.0.0.1]/", "https://a.example\\@b.example",
      "https://a\u{0}.example", "https://a.example/\r\nX: y",
    ])
  func `an address that two could read differently is refused`(text: String) { #expect(OutgoingURL(text) == nil) }

  @Test func `a long address is refused`() {
    let most = "https://a.example/" + String(repeating: "a", count: OutgoingURL.bytesMax - 18)
    #expect(OutgoingURL(most) != nil)
    #expect(OutgoingURL(most + "a") == nil)
  }
}
