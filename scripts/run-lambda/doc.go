// Command run-lambda runs the deployment on this machine with its real function
// binaries: it builds every bootstrap, serves the template's routes to them over
// the Lambda Runtime API, and puts stand-ins behind them for the AWS services
// (scripts/awslocal). What the stand-ins lack it does itself: it invokes the
// outbox after each write, in place of the table's stream, and the sweep every
// second, in place of the schedule (08 §5).
//
// It prints one line when it is ready and serves until it is told to stop; then
// it ends the functions and the stand-ins. Nothing is kept.
package main
