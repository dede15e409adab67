import KooberScreens
import PouchEntities
import Testing
@MainActor @Suite(.timeLimit(.minutes(1))) struct ShowAll {
    @Test func show() async throws {
        for (c, r) in [(48, 14), (80, 24), (120, 30)] {
            let w = WindowUnderTest(columns: c, rows: r)
            for s in [
                KooberScreen(.launching), KooberScreen(.welcome), KooberScreen(.signIn(FormScreen())),
                KooberScreen(.signUp(FormScreen(inputsEnabled: false, buttonEnabled: false, isBusy: true))),
                KooberScreen(.signIn(FormScreen()), error: ErrorNote(title: "Sign-in failed", message: "Enter your e-mail address and your password.")),
                KooberScreen(.gettingUserLocation),
                Sydney.pickMeUp(.initial),
                Sydney.pickMeUp(.selectDropoffLocation(DropoffPicker(query: "bondi", results: [Sydney.bondi, Sydney.junction]))),
                Sydney.pickMeUp(.selectRideOption(Sydney.options), to: Sydney.bondi.location),
                Sydney.pickMeUp(.confirmRequest(Sydney.picked("kangaroo")), to: Sydney.bondi.location),
                Sydney.waiting(Sydney.ride(.requested)),
                Sydney.waiting(Sydney.ride(.accepted, .init(latitude: -33.90, longitude: 151.19), eta: 240)),
                Sydney.waiting(Sydney.ride(.accepted, .init(latitude: -33.89, longitude: 151.20), eta: 100)),
                Sydney.waiting(Sydney.ride(.arriving, .init(latitude: -33.872, longitude: 151.205), eta: 10)),
            ] {
                try await w.show(s)
                print("=== \(c)x\(r)"); print(w.text)
            }
            var p = Sydney.waiting(Sydney.ride(.completed)); p.profile = ProfileScreen(name: "Johnny", email: "johnny@gmail.com", mobileNumber: "510-736-8754")
            try await w.show(p)
            print("=== \(c)x\(r)"); print(w.text)
        }
    }
}
