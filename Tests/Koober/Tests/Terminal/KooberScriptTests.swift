import KooberScreens
import KooberTerminal
import PouchEntities
import Testing

struct ScriptTests {
    @Test func `Each intention is a line, and comments and empty lines are ignored`() throws {
        let script = try Script(
            """
            # Johnny goes to the beach.
            go-to-sign-in
            sign-in johnny@gmail.com "pass word"   # his own
            go-to-sign-up
            sign-up "Ann Example" ann@example.com '' "a \\"quoted\\" # \\\\"

            where-to
            search bondi  beach
            search
            choose Mrs Macquarie’s Chair
            cancel-where-to
            option kangaroo
            confirm
            cancel-ride
            new-ride
            profile
            close-profile
            sign-out
            back
            ok
            """)
        #expect(
            script.lines.map(\.intention) == [
                .goToSignIn, .signIn(email: "johnny@gmail.com", password: Secret("pass word")), .goToSignUp,
                .signUp(
                    name: "Ann Example", email: "ann@example.com", mobileNumber: "",
                    password: Secret("a \"quoted\" # \\")),
                .chooseDropoff, .searchDropoffs("bondi beach"), .searchDropoffs(""),
                .selectDropoff("Mrs Macquarie’s Chair"), .cancelDropoff, .selectRideOption("kangaroo"), .confirmRide,
                .cancelRide, .startNewRide, .showProfile, .closeProfile, .signOut, .goBack, .acknowledgeError,
            ])
        #expect(script.lines.map(\.number) == [2, 3, 4, 5] + Array(7...20))
        #expect(Set(ScriptCommand.all.map(\.usage)).count == script.lines.count - 1)
    }

    @Test func `All invalid lines are reported with their numbers, without parameters that may be secret`() throws {
        let text = """
            where-to
            sign-in johnny@gmail.com
            sign-in johnny@gmail.com my secret
            jump \u{1B}[2J
            confirm now
            choose "Bondi
            """
        let error = #expect(throws: ScriptError.self) { try Script(text) }
        #expect(
            error?.problems.map { "\($0.line) \($0.text)" } == [
                "2 sign-in takes EMAIL PASSWORD.",
                "3 sign-in takes EMAIL PASSWORD.",
                "4 Unknown intention “jump”.",
                "5 confirm takes no parameters.",
                "6 A quotation mark is not closed.",
            ])
    }

    @Test func `Lines may end as on any system, and the last one need not end`() throws {
        #expect(try Script("where-to\r\nback\nok").lines.map(\.number) == [1, 2, 3])
        #expect(try Script("").lines.isEmpty)
    }
}
