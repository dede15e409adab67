import KooberScreens
import PouchEntities
import Testing

@testable import KooberWeb

struct IntentionFieldTests {
    @Test func `The form of each intention has a name that pages in open browsers send`() {
        #expect(
            IntentionCommand.all.map { IntentionFields.hidden(for: $0.intention($0.parameters))[0].value } == [
                "goToSignIn", "goToSignUp", "signIn", "signUp", "chooseDropoff", "searchDropoffs", "selectDropoff",
                "cancelDropoff", "selectRideOption", "confirmRide", "cancelRide", "startNewRide", "showProfile",
                "closeProfile", "signOut", "goBack", "acknowledgeError",
            ])
    }

    @Test func `A form is read as its own intention, next to any other fields`() {
        let form = ["intention": "signIn", "email": "a@b.c", "password": "x", "name": "Ann", "value": "Bondi"]
        #expect(IntentionFields.intention(in: form) == .signIn(email: "a@b.c", password: Secret("x")))
        #expect(IntentionFields.intention(in: ["intention": "selectDropoff"]) == nil)
        #expect(IntentionFields.intention(in: ["value": "Bondi"]) == nil)
    }
}
