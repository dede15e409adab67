import PouchEntities
import Testing

@Suite("E-mail addresses")
struct EmailAddressTests {
    @Test(arguments: [
        ("ada@example.com", "ada@example.com"), (" Ada.L+x@Example.COM ", "ada.l+x@example.com"),
        ("ada@bücher.example", "ada@bücher.example"), ("用户@example.com", "用户@example.com"),
        ("ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"),
    ])
    func `Addresses of all scripts are taken, in the form by which accounts are unique`(text: String, form: String) {
        #expect(EmailAddress.normalized(text) == form)
    }

    @Test(arguments: [
        "", "ada", "@example.com", "ada@", "ada@example", "ann,b@example.com", "a..b@example.com", ".a@example.com",
        "a.@example.com", "a;b@example.com", "a<b@example.com", "a(b)@example.com", "a\\b@example.com",
        "a b@example.com", "\"a b\"@example.com", "a@-x.example", "a@x-.example", "a@exam_ple.com", "a@example..com",
        "a@[127.0.0.1]", "a@127.0.0.1", "a@１２７.０.０.１", "<a@b.cc", "a@b.cc>", "a@b@example.com",
        "a@" + String(repeating: "x", count: 64) + ".example", String(repeating: "a", count: 65) + "@example.com",
        "a@bücher.example/x", "a@bücher.example:25", "a@bücher.example?x", "a@bücher.example#x",
        "a@bücher%2eexample.com", "a\u{202E}@example.com", "a@exam\u{AD}ple.com", "a@example.com\r\nRCPT TO:<b@c.de>",
    ])
    func `An address that no mail can reach is none`(text: String) {
        #expect(EmailAddress.normalized(text) == nil)
    }

    @Test func `A domain in another script is sent in its ASCII form, and a host needs no dot`() {
        #expect(EmailAddress("ada@bücher.example")?.address == "ada@xn--bcher-kva.example")
        #expect(EmailAddress("shop@localhost")?.domain == "localhost")
    }
}
