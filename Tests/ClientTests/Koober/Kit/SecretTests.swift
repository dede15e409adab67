import KooberKit
import KooberScreens
import PouchEntities
import Testing

struct SecretTests {
    private static let password = "correct horse"

    private static let holders: [any Sendable] = [
        Secret(password), NewAccount(name: "Ada", email: "a@b.c", mobileNumber: "", password: Secret(password)),
        signIn, Intention.signUp(name: "Ada", email: "a@b.c", mobileNumber: "", password: Secret(password)),
        UnofferedIntention(signIn, on: KooberScreen(.welcome)), [signIn],
    ]
    private static let signIn = Intention.signIn(email: "a@b.c", password: Secret(password))

    @Test(arguments: holders.indices)
    func `whoever holds a password prints without it`(_ index: Int) {
        let holder = Self.holders[index]
        var dumped = ""
        dump(holder, to: &dumped)
        for text in ["\(holder)", String(reflecting: holder), dumped] {
            #expect(!text.isEmpty)
            #expect(!text.contains(Self.password))
        }
    }
}
